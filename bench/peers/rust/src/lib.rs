//! Shuffles by the crate `rand`, behind the C interface of `peers.cpp`.

use rand::{rngs::SmallRng, seq::SliceRandom, SeedableRng};

/// Write `decks` rows, each the cards `0 .. cards` shuffled.
///
/// # Safety
/// `out` has room for `cards * decks` of them, `cards` at least 1.
unsafe fn rows<Card>(out: *mut Card, cards: usize, decks: usize, seed: u64, card: impl Fn(usize) -> Card) {
    let out = std::slice::from_raw_parts_mut(out, cards * decks);
    let mut random = SmallRng::seed_from_u64(seed);
    for deck in out.chunks_exact_mut(cards) {
        for (i, place) in deck.iter_mut().enumerate() {
            *place = card(i);
        }
        deck.shuffle(&mut random);
    }
}

#[no_mangle]
pub unsafe extern "C" fn rows8_rand(out: *mut u8, cards: usize, decks: usize, seed: u64) {
    rows(out, cards, decks, seed, |i| i as u8);
}

#[no_mangle]
pub unsafe extern "C" fn rows16_rand(out: *mut u16, cards: usize, decks: usize, seed: u64) {
    rows(out, cards, decks, seed, |i| i as u16);
}
