#include <thrust/shuffle.h>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>
int main(int, char** sizes) {
    for (std::mt19937_64 random(1); *++sizes;) {
        std::vector<int> deck(std::stoi(*sizes));
        std::iota(deck.begin(), deck.end(), 0);
        std::string marks;
        int count = 0;
        for (int odd = 0; marks.size() < 1000; marks += ".#"[odd], count += odd, odd = 0) {
            thrust::shuffle(deck.begin(), deck.end(), random);
            for (int at = 0; at < int(deck.size()); at++)  // swap every card home
                for (; deck[at] != at; odd = !odd) std::swap(deck[at], deck[deck[at]]);
        }
        std::printf("%4s cards: %.45s %3d odd of 1000\n", *sizes, marks.c_str(), count);
    }
}
