// Decks of Go's math/rand, 16 bits for each card, the low byte first: ./shuffles CARDS [Perm]
package main

import (
	"bufio"
	"encoding/binary"
	"math/rand"
	"os"
	"strconv"
	"time"
)

func main() {
	rand.Seed(time.Now().UnixNano())
	cards, _ := strconv.Atoi(os.Args[1])
	deck := make([]uint16, cards)
	out := bufio.NewWriter(os.Stdout)
	for {
		for i := range deck {
			deck[i] = uint16(i)
		}
		if len(os.Args) > 2 {
			for i, card := range rand.Perm(cards) {
				deck[i] = uint16(card)
			}
		} else {
			rand.Shuffle(cards, func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		}
		if err := binary.Write(out, binary.LittleEndian, deck); err != nil {
			return // the reader closed the pipe
		}
	}
}
