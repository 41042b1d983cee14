//! Decks of Rust shuffles, 16 bits for each card, the low byte first: shuffles CARDS NAME.
use rand::rngs::{OsRng, SmallRng};
use rand::{seq::index::sample, seq::SliceRandom, thread_rng, SeedableRng};
use std::env;
use std::io::{self, BufWriter, Write};

fn write_decks(cards: u16, mut shuffle: impl FnMut(&mut Vec<u16>)) {
    let mut out = BufWriter::new(io::stdout().lock());
    loop {
        let mut deck: Vec<u16> = (0..cards).collect();
        shuffle(&mut deck);
        let bytes: Vec<u8> = deck.iter().flat_map(|card| card.to_le_bytes()).collect();
        if out.write_all(&bytes).is_err() {
            std::process::exit(0); // the reader closed the pipe
        }
    }
}

fn drawn(cards: usize, some: usize) -> Vec<u16> {
    sample(&mut thread_rng(), cards, some).iter().map(|card| card as u16).collect()
}

fn main() {
    let words: Vec<String> = env::args().collect();
    let cards = words[1].parse().unwrap();
    match words[2].as_str() {
        "thread_rng" => write_decks(cards, |deck| deck.shuffle(&mut thread_rng())),
        "OsRng" => write_decks(cards, |deck| deck.shuffle(&mut OsRng)),
        "SmallRng" => {
            let mut rng = SmallRng::from_entropy();
            write_decks(cards, move |deck| deck.shuffle(&mut rng))
        }
        "fastrand" => write_decks(cards, |deck| fastrand::shuffle(deck)),
        "nanorand" => write_decks(cards, |deck| nanorand::Rng::shuffle(&mut nanorand::tls_rng(), deck)),
        "sample-5" => write_decks(cards, |deck| *deck = drawn(deck.len(), 5)),
        "sample-13" => write_decks(cards, |deck| *deck = drawn(deck.len(), 13)),
        other => panic!("no shuffle is called {other}"),
    }
}
