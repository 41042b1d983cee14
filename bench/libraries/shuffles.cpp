// Decks of C and C++ shuffles, 16 bits for each card, the low byte first: ./shuffles CARDS NAME. Compiled with g++, and with clang++ and libc++.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>
#ifdef WITH_GSL
#include <gsl/gsl_randist.h>
#endif
#ifdef WITH_THRUST
#include <thrust/shuffle.h>
#if __has_include(<thrust/iterator/shuffle_iterator.h>)
#include <thrust/iterator/shuffle_iterator.h>
#define WITH_SHUFFLE_ITERATOR
#endif
#endif

using Deck = std::vector<std::uint16_t>;

template <class Shuffle>
int write_decks(std::size_t cards, Shuffle shuffle) {
    Deck deck(cards);
    do {
        deck.resize(cards);
        std::iota(deck.begin(), deck.end(), std::uint16_t{0});
        shuffle(deck);
    } while (std::fwrite(deck.data(), 2, deck.size(), stdout) == deck.size());
    return 0;
}

template <class Generator>
int standard(std::size_t cards, Generator generator) {
    return write_decks(cards, [&](Deck& deck) { std::shuffle(deck.begin(), deck.end(), generator); });
}

template <class Draw>
int fisher_yates(std::size_t cards, Draw draw) {
    return write_decks(cards, [&](Deck& deck) {
        for (std::size_t i = deck.size() - 1; i > 0; i--) std::swap(deck[i], deck[draw(i + 1)]);
    });
}

int main(int, char** words) {
    const std::size_t cards = std::strtoul(words[1], nullptr, 10);
    const auto is = [&](const char* name) { return std::strcmp(words[2], name) == 0; };
    std::random_device device;
    std::srand(device());
    ::srandom(device());
    ::srand48(device());
    if (is("mt19937")) return standard(cards, std::mt19937(device()));
    if (is("mt19937_64")) return standard(cards, std::mt19937_64(device()));
    if (is("minstd_rand")) return standard(cards, std::minstd_rand(device()));
    if (is("minstd_rand0")) return standard(cards, std::minstd_rand0(device()));
    if (is("ranlux24")) return standard(cards, std::ranlux24(device()));
    if (is("knuth_b")) return standard(cards, std::knuth_b(device()));
    if (is("random_device"))
        return write_decks(cards, [&](Deck& deck) { std::shuffle(deck.begin(), deck.end(), device); });
#ifndef _LIBCPP_VERSION
    if (is("random_shuffle")) return write_decks(cards, [](Deck& deck) { std::random_shuffle(deck.begin(), deck.end()); });
#endif
    std::mt19937 twister(device());
    if (is("sample 5"))
        return write_decks(cards, [&](Deck& deck) {
            deck.erase(std::sample(deck.begin(), deck.end(), deck.begin(), 5, twister), deck.end());
        });
    if (is("rand() % n")) return fisher_yates(cards, [](std::size_t bound) { return std::rand() % bound; });
    if (is("random() scaled"))
        return fisher_yates(cards, [](std::size_t bound) { return std::size_t(::random() / 2147483648.0 * bound); });
    if (is("drand48()")) return fisher_yates(cards, [](std::size_t bound) { return std::size_t(::drand48() * bound); });
#ifdef WITH_GSL
    gsl_rng* generator = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(generator, device());
    if (is("gsl_ran_shuffle"))
        return write_decks(cards, [&](Deck& deck) { gsl_ran_shuffle(generator, deck.data(), deck.size(), 2); });
#endif
#ifdef WITH_THRUST
    std::mt19937_64 engine(device());
    if (is("thrust::shuffle"))
        return write_decks(cards, [&](Deck& deck) { thrust::shuffle(deck.begin(), deck.end(), engine); });
#ifdef WITH_SHUFFLE_ITERATOR
    if (is("make_shuffle_iterator"))
        return write_decks(cards, [&](Deck& deck) {
            const auto drawn = thrust::make_shuffle_iterator<std::uint64_t>(deck.size(), engine);
            for (std::size_t i = 0; i < deck.size(); i++) deck[i] = std::uint16_t(drawn[i]);
        });
#endif
#endif
    return std::fprintf(stderr, "no shuffle is called %s here\n", words[2]), 2;
}
