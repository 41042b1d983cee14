// Decks of a Rust shuffle for `fairdeck test`: n integers of 16 bits each, the lowest byte first, without end.
//
//   rustc -O -o decks shuffle.rs
//   fairdeck test --exec "./decks {cards} 1" --format u16 --cards 52 --decks 100000 --alpha 1e-9
//
// Rust's standard library has no shuffle, so this file has one of its own: put the shuffle under test in its place, such
// as `shuffle` of the crate `rand`. Arguments: cards, a seed; a third argument, "broken", swaps each card with any
// card: the command must then exit with code 1.
use std::env;
use std::io::{self, BufWriter, Write};

/// SplitMix64 (Steele, Lea and Flood, 2014).
fn random_bits(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A number below `bound`; draws that would favour some numbers are rejected (Lemire, 2019).
fn below(bound: u64, state: &mut u64) -> usize {
    loop {
        let product = u128::from(random_bits(state)) * u128::from(bound);
        if product as u64 >= bound.wrapping_neg() % bound {
            return (product >> 64) as usize;
        }
    }
}

/// The shuffle under test.
fn shuffle(deck: &mut [u16], state: &mut u64) {
    for place in (1..deck.len()).rev() {
        deck.swap(place, below(place as u64 + 1, state));
    }
}

fn broken(deck: &mut [u16], state: &mut u64) {
    for place in 0..deck.len() {
        deck.swap(place, below(deck.len() as u64, state));
    }
}

fn main() {
    let words: Vec<String> = env::args().collect();
    let (cards, seed): (u16, u64) = (words[1].parse().unwrap(), words[2].parse().unwrap());
    let shuffled = if words.len() > 3 { broken } else { shuffle };
    let (mut state, mut out) = (seed, BufWriter::new(io::stdout().lock()));
    loop {
        let mut deck: Vec<u16> = (0..cards).collect();
        shuffled(&mut deck, &mut state);
        let bytes: Vec<u8> = deck.iter().flat_map(|card| card.to_le_bytes()).collect();
        if out.write_all(&bytes).is_err() {
            std::process::exit(0); // the reader closed the pipe
        }
    }
}
