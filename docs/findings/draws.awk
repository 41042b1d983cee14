BEGIN {
    for (n = 1; n <= 1031; n++) {
        drawn[n] = rand()
        if (n > 31) {
            off = drawn[n] - drawn[n - 31] - drawn[n - 3]
            off -= int(off + 2) - 2
            told += off < 0.0001 || off > 0.9999
        }
    }
    print told " of 1000 draws are the sum of those 31 and 3 draws before"
}
