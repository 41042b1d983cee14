// Decks of rand.Shuffle for `fairdeck test`: n integers of 16 bits each, the lowest byte first, without end.
//
//	go build -o decks shuffle.go
//	fairdeck test --exec "./decks {cards} 1" --format u16 --cards 52 --decks 100000 --alpha 1e-9
//
// Arguments: cards, a seed; a third argument, "broken", swaps each card with any card: the command must then exit with
// code 1. The numbers come from AES in counter mode, which repeats them from a seed: rand.NewSource would fail, since each
// of its numbers is the sum of two before.
package main

import (
	"bufio"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand"
	"os"
	"strconv"
)

type keystream struct{ cipher.Stream }

func (stream keystream) Uint64() uint64 {
	var word [8]byte
	stream.XORKeyStream(word[:], word[:])
	return binary.LittleEndian.Uint64(word[:])
}

func (stream keystream) Int63() int64 { return int64(stream.Uint64() >> 1) }
func (stream keystream) Seed(int64)   {}

func main() {
	cards, _ := strconv.Atoi(os.Args[1])
	seed, _ := strconv.ParseUint(os.Args[2], 10, 64)
	block, _ := aes.NewCipher(binary.LittleEndian.AppendUint64(make([]byte, 8), seed))
	random := rand.New(keystream{cipher.NewCTR(block, make([]byte, 16))})
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
