# Decks of a command that permutes lines, one on each line: sh shuffles.sh CARDS COMMAND...
cards=$(seq 0 $(($1 - 1))); shift
trap '' PIPE
while printf '%s\n' "$cards" | "$@" | paste -sd ' ' 2>/dev/null; do :; done
