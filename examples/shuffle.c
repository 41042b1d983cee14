/* A fair shuffle, and a naive one, for `fairdeck test --exec`.
 *
 *   cc -O2 -o shuffle shuffle.c
 *   ./shuffle 52            decks of 52 cards without end, one on each line
 *   ./shuffle 52 10         ten decks
 *   ./shuffle 52 --u16      as little-endian 16-bit integers
 *   ./shuffle 52 --naive    swaps every card with any card: not fair
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *source;

static uint32_t word(void)
{
    uint32_t drawn;
    if (fread(&drawn, sizeof drawn, 1, source) != 1) {
        perror("/dev/urandom");
        exit(2);
    }
    return drawn;
}

/* An unbiased integer below `bound`: it rejects the words that would favour some integers. */
static uint32_t below(uint32_t bound)
{
    uint32_t excess = (uint32_t)(-bound) % bound; /* 2^32 mod bound */
    uint32_t drawn;
    do
        drawn = word();
    while (drawn < excess);
    return drawn % bound;
}

static void shuffle(uint16_t *deck, uint32_t n, int naive)
{
    for (uint32_t i = n; i-- > 0;) {
        uint32_t j = below(naive ? n : i + 1);
        uint16_t card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
}

static void print_text(const uint16_t *deck, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        printf(i + 1 < n ? "%u " : "%u\n", (unsigned)deck[i]);
}

static void print_binary(const uint16_t *deck, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        putchar(deck[i] & 0xff);
        putchar(deck[i] >> 8);
    }
}

int main(int argc, char **argv)
{
    long n = 52, decks = -1, numbers = 0;
    int naive = 0, binary = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--naive") == 0)
            naive = 1;
        else if (strcmp(argv[i], "--u16") == 0)
            binary = 1;
        else
            *(numbers++ == 0 ? &n : &decks) = strtol(argv[i], NULL, 10);
    }
    source = fopen("/dev/urandom", "rb");
    uint16_t *deck = n >= 1 && n <= 65536 ? malloc((size_t)n * sizeof *deck) : NULL;
    if (source == NULL || deck == NULL) {
        fprintf(stderr, "usage: %s CARDS [DECKS] [--u16] [--naive]\n", argv[0]);
        return 2;
    }
    while (decks < 0 || decks-- > 0) {
        for (long i = 0; i < n; i++)
            deck[i] = (uint16_t)i;
        shuffle(deck, (uint32_t)n, naive);
        (binary ? print_binary : print_text)(deck, (uint32_t)n);
        if (ferror(stdout)) /* the reader closed the pipe */
            return 0;
    }
    return 0;
}
