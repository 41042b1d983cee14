#include <stdint.h>
#include <stdio.h>
int main(void) {  // reads a deck of the numbers 0 to 51
    int shuffled[52], deck[52], drawn[52];
    for (int i = 0; i < 52 && scanf("%d", shuffled + i) == 1; i++) deck[i] = i;
    for (int last = 51; last > 0; last--) {  // what List::Util drew for each place
        for (drawn[last] = 0; deck[drawn[last]] != shuffled[last]; drawn[last]++);
        deck[drawn[last]] = deck[last];
    }
    for (uint64_t seed = 0; seed < 1ULL << 32; seed++) {
        uint64_t state = seed << 16 | 0x330E;
        for (int last = 51; last > 0; last--) {
            state = (state * 0x5DEECE66D + 11) & 0xFFFFFFFFFFFF;
            if (state * (last + 1) >> 48 != (uint64_t)drawn[last]) break;
            if (last == 1) printf("%llu\n", (unsigned long long)seed);
        }
    }
}
