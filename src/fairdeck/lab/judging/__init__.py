"""From blocks of decks to a verdict at one stated level: tally, interim analyses and bets, report."""
