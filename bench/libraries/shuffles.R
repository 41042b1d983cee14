# Decks of R's sample(), a byte for each card: R --args CARDS
cards <- as.integer(commandArgs(trailingOnly = TRUE)[1])
out <- pipe("cat", "wb")
repeat writeBin(as.raw(replicate(64, sample.int(cards)) - 1L), out)
