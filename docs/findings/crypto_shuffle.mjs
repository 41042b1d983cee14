import shuffle from "crypto-shuffle";

function count(cards, first, place) {
  let found = 0;
  for (let i = 0; i < 10_000; i++) found += shuffle([...Array(cards).keys()])[place] < first;
  return found;
}
console.log(`52 cards, one of the last 4 on top: ${10_000 - count(52, 48, 51)} of 10000, 769 expected`);
console.log(`200 cards, one of the first 56 on top: ${count(200, 56, 199)} of 10000, 2800 expected`);
console.log(`1000 cards, one of the first 256 on top: ${count(1000, 256, 999)} of 10000, 2560 expected`);
