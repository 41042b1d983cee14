# Decks shuffled with awk's rand(), one on each line: awk -v cards=52 -f shuffles.awk
BEGIN {
    srand()
    for (;;) {
        for (i = 0; i < cards; i++) deck[i] = i
        for (i = cards - 1; i > 0; i--) {
            j = int(rand() * (i + 1))
            card = deck[i]; deck[i] = deck[j]; deck[j] = card
        }
        line = deck[0]
        for (i = 1; i < cards; i++) line = line " " deck[i]
        print line
    }
}
