# Decks of R's sample(), or the first cards of them, 16 bits for each card, the low byte first: R --args CARDS OF_THEM
words <- as.integer(commandArgs(trailingOnly = TRUE))
out <- pipe("cat", "wb")
repeat writeBin(c(replicate(64, sample.int(words[1], words[2])) - 1L), out, size = 2, endian = "little")
