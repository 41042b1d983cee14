// Shuffles as people write them in C++, behind a plain C interface.
//
// Rows:      NAME(cards_out, cards, decks, seed) writes `decks` rows, each the cards 0 .. cards-1 shuffled.
// Tops:      NAME(cards_out, hands, seed) writes `hands` rows, each the 5 top cards of a shuffled deck of 52.
//
// Every one is exactly uniform, given its generator. Sources:
//   bounded draws   Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019)
//   several a word  Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", Softw. Pract. Exper. (2024)
//   inside out      Knuth, TAOCP 2, 3.4.2; Durstenfeld, Comm. ACM 7 (1964)
//   wyrand          Wang Yi, wyhash (public domain)

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>

namespace {

using Wide = unsigned __int128;

struct Wyrand {
    std::uint64_t state;

    std::uint64_t operator()() {
        state += 0xa0761d6478bd642fu;
        const Wide product = Wide(state) * (state ^ 0xe7037ed1a0b428dbu);
        return std::uint64_t(product >> 64) ^ std::uint64_t(product);
    }
};

std::uint64_t below(std::uint64_t bound, Wyrand &random) {
    Wide product = Wide(random()) * bound;
    if (std::uint64_t(product) < bound) {
        const std::uint64_t threshold = -bound % bound;
        while (std::uint64_t(product) < threshold) product = Wide(random()) * bound;
    }
    return std::uint64_t(product >> 64);
}

// Draw `Count` integers from one word: integer k is below bound(k). `most` is at least the product of the bounds; only
// a remainder below it can be one to reject, so the product is rarely computed. If it was, it is returned for the
// next group.
template <unsigned Count, class Bound>
std::uint64_t draw(std::uint64_t *drawn, Bound bound, std::uint64_t most, Wyrand &random) {
    const auto once = [&] {
        std::uint64_t rest = random();
        for (unsigned k = 0; k < Count; ++k) {
            const Wide product = Wide(rest) * bound(k);
            drawn[k] = std::uint64_t(product >> 64);
            rest = std::uint64_t(product);
        }
        return rest;
    };
    std::uint64_t rest = once();
    if (rest < most) {
        most = 1;
        for (unsigned k = 0; k < Count; ++k) most *= bound(k);
        const std::uint64_t threshold = -most % most;
        while (rest < threshold) rest = once();
    }
    return most;
}

// How many integers from a word: the largest `Count` with bound^Count < 2^60 or so, and that power.
template <class Step> void groups_down(std::size_t left, Step step) {
    std::uint64_t most = ~std::uint64_t{0};
    const auto group = [&]<unsigned Count>(std::size_t least, std::uint64_t power) {
        most = power;
        for (; left > least; left -= Count) most = step.template operator()<Count>(left, most);
    };
    group.template operator()<1>(std::size_t{1} << 30, ~std::uint64_t{0});
    group.template operator()<2>(std::size_t{1} << 19, std::uint64_t{1} << 60);
    group.template operator()<3>(std::size_t{1} << 14, std::uint64_t{1} << 57);
    group.template operator()<4>(std::size_t{1} << 11, std::uint64_t{1} << 56);
    group.template operator()<5>(std::size_t{1} << 9, std::uint64_t{1} << 55);
    group.template operator()<6>(6, std::uint64_t{1} << 54);
    switch (left) {
    case 6: step.template operator()<5>(left, 720); break;
    case 5: step.template operator()<4>(left, 120); break;
    case 4: step.template operator()<3>(left, 24); break;
    case 3: step.template operator()<2>(left, 6); break;
    case 2: step.template operator()<1>(left, 2); break;
    default: break;
    }
}

template <class Card> void batched(Card *deck, std::size_t cards, Wyrand &random) {
    groups_down(cards, [&]<unsigned Count>(std::size_t left, std::uint64_t most) {
        std::uint64_t drawn[Count];
        most = draw<Count>(drawn, [&](unsigned k) { return left - k; }, most, random);
        for (unsigned k = 0; k < Count; ++k) std::swap(deck[left - 1 - k], deck[drawn[k]]);
        return most;
    });
}

// The same draws, inside out: `card(i)` goes to a place up to i, and the card that lay there moves to i. This needs no
// deck to start from.
template <class Card, class Source>
void inside_out_batched(Card *deck, std::size_t cards, Source card, Wyrand &random) {
    std::size_t i = 0;
    const auto group = [&]<unsigned Count>(std::size_t last, std::uint64_t most) {
        for (; i + Count <= std::min(cards, last); i += Count) {
            std::uint64_t drawn[Count];
            draw<Count>(drawn, [&](unsigned k) { return i + k + 1; }, most, random);
            for (unsigned k = 0; k < Count; ++k) {
                deck[i + k] = deck[drawn[k]];
                deck[drawn[k]] = card(i + k);
            }
        }
    };
    group.template operator()<6>(std::size_t{1} << 9, std::uint64_t{1} << 54);
    group.template operator()<5>(std::size_t{1} << 11, std::uint64_t{1} << 55);
    group.template operator()<4>(std::size_t{1} << 14, std::uint64_t{1} << 56);
    group.template operator()<3>(std::size_t{1} << 19, std::uint64_t{1} << 57);
    group.template operator()<2>(std::size_t{1} << 30, std::uint64_t{1} << 60);
    group.template operator()<1>(cards, ~std::uint64_t{0});
}

// A shuffle makes one deck: it is called with where the deck goes, its size and the generator.

struct Standard {
    using Random = std::mt19937_64;

    template <class Card> void operator()(Card *deck, std::size_t cards, Random &random) const {
        std::iota(deck, deck + cards, Card{0});
        std::shuffle(deck, deck + cards, random);
    }
};

struct InsideOut {
    using Random = Wyrand;

    template <class Card> void operator()(Card *deck, std::size_t cards, Random &random) const {
        for (std::size_t i = 0; i < cards; ++i) {
            const std::uint64_t j = below(i + 1, random);
            deck[i] = deck[j];
            deck[j] = Card(i);
        }
    }
};

struct Batched {
    using Random = Wyrand;

    template <class Card> void operator()(Card *deck, std::size_t cards, Random &random) const {
        std::iota(deck, deck + cards, Card{0});
        batched(deck, cards, random);
    }
};

struct InsideOutBatched {
    using Random = Wyrand;

    template <class Card> void operator()(Card *deck, std::size_t cards, Random &random) const {
        inside_out_batched(deck, cards, [](std::size_t i) { return Card(i); }, random);
    }
};

template <class Shuffle, class Card> void rows(Card *out, std::size_t cards, std::size_t decks, std::uint64_t seed) {
    typename Shuffle::Random random{seed};
    for (std::size_t row = 0; row < decks; ++row) Shuffle{}(out + row * cards, cards, random);
}

constexpr unsigned CARDS = 52, TOP = 5;

// The top cards of a pack that stays as it is from hand to hand: only these are swapped.
template <class Draw> void tops(std::uint8_t *out, std::size_t hands, Draw draws) {
    std::array<std::uint8_t, CARDS> pack;
    std::iota(pack.begin(), pack.end(), std::uint8_t{0});
    for (std::size_t hand = 0; hand < hands; ++hand) {
        std::uint64_t drawn[TOP];
        draws(drawn);
        for (unsigned k = 0; k < TOP; ++k) std::swap(pack[CARDS - 1 - k], pack[drawn[k]]);
        std::copy(pack.end() - TOP, pack.end(), out + hand * TOP);
    }
}

} // namespace

#define ROWS(name, Shuffle)                                                                                            \
    void rows8_##name(std::uint8_t *out, std::size_t cards, std::size_t decks, std::uint64_t seed) {                   \
        rows<Shuffle>(out, cards, decks, seed);                                                                        \
    }                                                                                                                  \
    void rows16_##name(std::uint16_t *out, std::size_t cards, std::size_t decks, std::uint64_t seed) {                 \
        rows<Shuffle>(out, cards, decks, seed);                                                                        \
    }

extern "C" {

ROWS(standard, Standard)
ROWS(inside_out, InsideOut)
ROWS(batched, Batched)
ROWS(inside_out_batched, InsideOutBatched)

void tops_partial(std::uint8_t *out, std::size_t hands, std::uint64_t seed) {
    Wyrand random{seed};
    tops(out, hands, [&](std::uint64_t *drawn) {
        for (unsigned k = 0; k < TOP; ++k) drawn[k] = below(CARDS - k, random);
    });
}

void tops_batched(std::uint8_t *out, std::size_t hands, std::uint64_t seed) {
    Wyrand random{seed};
    std::uint64_t most = ~std::uint64_t{0};
    tops(out, hands, [&](std::uint64_t *drawn) {
        most = draw<TOP>(drawn, [](unsigned k) { return CARDS - k; }, most, random);
    });
}
}
