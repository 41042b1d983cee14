// Decks of std::shuffle for `fairdeck test`: n integers of 16 bits each, the lowest byte first, without end.
//
//   g++ -O2 -o decks shuffle.cpp            (or clang++, also with -stdlib=libc++)
//   fairdeck test --exec "./decks {cards} 64 1" --format u16 --cards 52 --decks 100000 --alpha 1e-9
//
// Arguments: cards; the bits of the generator, 32 or 64, because libraries have a path for each; a seed. A fourth
// argument, "broken", swaps each card with any card: the command must then exit with code 1.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

template <class Generator>
void write_decks(std::size_t cards, Generator generator, bool broken) {
    std::vector<std::uint16_t> deck(cards);
    std::uniform_int_distribution<std::size_t> any(0, cards - 1);
    do {
        std::iota(deck.begin(), deck.end(), std::uint16_t{0});
        if (broken)
            for (auto& card : deck) std::swap(card, deck[any(generator)]);
        else
            std::shuffle(deck.begin(), deck.end(), generator);
    } while (std::fwrite(deck.data(), 2, cards, stdout) == cards);  // until the reader closes the pipe
}

int main(int count, char** words) {
    if (count < 4) return std::fprintf(stderr, "usage: %s CARDS 32|64 SEED [broken]\n", words[0]), 2;
    const std::size_t cards = std::strtoul(words[1], nullptr, 10);
    const auto seed = static_cast<std::uint32_t>(std::strtoul(words[3], nullptr, 10));
    if (std::atoi(words[2]) == 64)
        write_decks(cards, std::mt19937_64(seed), count > 4);
    else
        write_decks(cards, std::mt19937(seed), count > 4);
}
