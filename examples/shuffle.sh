#!/bin/sh
# A fair shuffle, and a naive one, for `fairdeck test --exec`.
#
#   sh shuffle.sh 52            decks of 52 cards without end, one on each line
#   sh shuffle.sh 52 10         ten decks
#   sh shuffle.sh 52 --naive    swaps every card with any card: not fair
#
# The random bytes come from the system; `od` writes them as numbers, and `awk` makes unbiased integers and decks.

cards=52 decks=-1 naive=0 seen=0
for word in "$@"; do
    case $word in
        --naive) naive=1 ;;
        *) if [ "$seen" -eq 0 ]; then cards=$word seen=1; else decks=$word; fi ;;
    esac
done

od -An -v -tu2 /dev/urandom | awk -v n="$cards" -v decks="$decks" -v naive="$naive" '
    # An unbiased integer below `bound`: it rejects the numbers that would favour some integers.
    function below(bound,    drawn) {
        do {
            while (at >= have) {
                if ((getline line) <= 0) exit
                have = split(line, words, " ")
                at = 0
            }
            drawn = words[++at]
        } while (drawn >= 65536 - 65536 % bound)
        return drawn % bound
    }
    BEGIN {
        for (made = 0; made != decks; made++) {
            for (i = 0; i < n; i++) deck[i] = i
            for (i = n - 1; i >= 0; i--) {
                j = below(naive ? n : i + 1)
                card = deck[i]; deck[i] = deck[j]; deck[j] = card
            }
            text = deck[0]
            for (i = 1; i < n; i++) text = text " " deck[i]
            print text
        }
        exit
    }' 2>/dev/null
