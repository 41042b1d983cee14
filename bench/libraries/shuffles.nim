# Decks of Nim's shuffle, a byte for each card: ./shuffles CARDS
import std/[os, random, sequtils, strutils]
randomize()
let cards = paramStr(1).parseInt
while true:
  var deck = toSeq(0'u8 ..< cards.uint8)
  shuffle(deck)
  if stdout.writeBuffer(addr deck[0], cards) < cards: quit 0
