//! How often nanorand's shuffle of three items swaps the first two, and no more.
use nanorand::{Rng, WyRand};

fn main() {
    let mut random = WyRand::new_seed(1);
    let mut came = 0;
    for _ in 0..270_000 {
        let mut deck = [0, 1, 2];
        random.shuffle(&mut deck);
        came += (deck == [1, 0, 2]) as u32;
    }
    println!("order 1 0 2: {came} of 270000, 45000 expected");
}
