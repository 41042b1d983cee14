// Decks of rand.Shuffle for `fairdeck test`: n integers of 16 bits each, the lowest byte first, without end.
//
//	go build -o decks shuffle.go
//	fairdeck test --exec "./decks {cards} 1" --format u16 --cards 52 --decks 100000 --alpha 1e-9
//
// Arguments: cards, a seed; a third argument, "broken", swaps each card with any card: the command must then exit with
// code 1.
package main

import (
	"bufio"
	"encoding/binary"
	"math/rand"
	"os"
	"strconv"
)

func main() {
	cards, _ := strconv.Atoi(os.Args[1])
	seed, _ := strconv.ParseInt(os.Args[2], 10, 64)
	random := rand.New(rand.NewSource(seed))
	deck := make([]uint16, cards)
	swap := func(i, j int) { deck[i], deck[j] = deck[j], deck[i] }
	out := bufio.NewWriter(os.Stdout)
	for {
		for i := range deck {
			deck[i] = uint16(i)
		}
		if len(os.Args) > 3 {
			for i := range deck {
				swap(i, random.Intn(cards))
			}
		} else {
			random.Shuffle(cards, swap)
		}
		if binary.Write(out, binary.LittleEndian, deck) != nil {
			return // the reader closed the pipe
		}
	}
}
