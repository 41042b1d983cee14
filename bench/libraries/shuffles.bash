# Decks shuffled with $RANDOM, one on each line, in bash, zsh (as zsh -o ksharrays) and ksh: bash shuffles.bash CARDS
trap '' PIPE
typeset -i i j card
while :; do
    deck=()
    for ((i = 0; i < $1; i++)); do deck[i]=$i; done
    for ((i = $1 - 1; i > 0; i--)); do
        ((j = RANDOM % (i + 1), card = deck[i], deck[i] = deck[j], deck[j] = card))
    done
    echo "${deck[*]}" 2>/dev/null || exit 0
done
