# Decks of R's sample(), 16 bits for each card, the low byte first: R --args CARDS
cards <- as.integer(commandArgs(trailingOnly = TRUE)[1])
out <- pipe("cat", "wb")
repeat writeBin(c(replicate(64, sample.int(cards)) - 1L), out, size = 2, endian = "little")
