# Decks of Nim's shuffle, 16 bits for each card, the low byte first: ./shuffles CARDS
import std/[os, random, sequtils, strutils]
randomize()
let cards = paramStr(1).parseInt
while true:
  var deck = toSeq(0'u16 ..< cards.uint16)
  shuffle(deck)
  if stdout.writeBuffer(addr deck[0], 2 * cards) < 2 * cards: quit 0
