#include <thrust/iterator/shuffle_iterator.h>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>
int main(int, char** sizes) {
    for (std::mt19937_64 random(1); *++sizes;) {
        int cards = std::stoi(*sizes), count = 0;
        for (int i = 0, odd = 0; i < 1000; i++, count += odd, odd = 0) {
            const auto order = thrust::make_shuffle_iterator<int>(cards, random);
            std::vector<int> deck(order, order + cards);
            for (int at = 0; at < cards; at++)  // swap every card home
                for (; deck[at] != at; odd = !odd) std::swap(deck[at], deck[deck[at]]);
        }
        const double points = std::exp2(std::fmax(8, std::ceil(std::log2(cards))));
        const double bend = 500 * cards * (cards - 1.0) / (points * (points - 1));
        std::printf("%4d cards: %4d odd, %3.0f predicted\n", cards, count, 500 + (cards % 2 ? bend : -bend));
    }
}
