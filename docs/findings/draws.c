#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
    long drawn[1031], told = 0;
    srandom(time(NULL));
    for (int n = 0; n < 1031; n++) {
        drawn[n] = random();
        if (n > 30) told += ((drawn[n] - drawn[n - 31] - drawn[n - 3]) & 0x7fffffff) < 2;
    }
    printf("%ld of 1000 draws are the sum of those 31 and 3 draws before, or 1 more\n", told);
}
