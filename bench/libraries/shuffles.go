// Decks of Go's rand.Shuffle, a byte for each card: ./shuffles CARDS
package main

import (
	"bufio"
	"math/rand"
	"os"
	"strconv"
	"time"
)

func main() {
	rand.Seed(time.Now().UnixNano())
	cards, _ := strconv.Atoi(os.Args[1])
	deck := make([]byte, cards)
	out := bufio.NewWriter(os.Stdout)
	for {
		for i := range deck {
			deck[i] = byte(i)
		}
		rand.Shuffle(cards, func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		if _, err := out.Write(deck); err != nil {
			return // the reader closed the pipe
		}
	}
}
