// Decks of a JavaScript shuffle for `fairdeck test`: n integers of 16 bits each, the lowest byte first, without end.
//
//   fairdeck test --exec "node shuffle.mjs {cards}" --format u16 --cards 52 --decks 100000 --alpha 1e-9
//
// JavaScript has no shuffle, so this file has one of its own: put the shuffle of your library in its place. It draws from
// the operating system, without a seed. With Math.random() it would fail: its state is read off a few decks. A second
// argument, "broken", sorts by a random comparison, as a browser ballot of 2010 did: the command must then exit with code 1.
import { randomInt } from "node:crypto";
import { writeSync } from "node:fs";

function shuffle(deck) {
  for (let place = deck.length - 1; place > 0; place--) {
    const drawn = randomInt(place + 1);
    [deck[place], deck[drawn]] = [deck[drawn], deck[place]];
  }
  return deck;
}

const broken = (deck) => deck.sort(() => 0.5 - Math.random());

function write(bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error; // the pipe is full: try again
    }
  }
}

const cards = Number(process.argv[2] ?? 52);
const shuffled = process.argv[3] === "broken" ? broken : shuffle;
try {
  for (;;) {
    const decks = new Uint16Array(cards * 64);
    for (let at = 0; at < decks.length; at += cards) decks.set(shuffled([...Array(cards).keys()]), at);
    write(new Uint8Array(decks.buffer));
  }
} catch (error) {
  if (error.code !== "EPIPE") throw error; // the reader closed the pipe
}
