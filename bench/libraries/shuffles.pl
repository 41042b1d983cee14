# Decks of Perl's List::Util, 16 bits for each card, the low byte first: perl shuffles.pl CARDS
use List::Util "shuffle";
binmode STDOUT;
my @cards = 0 .. $ARGV[0] - 1;
1 while print pack "v*", shuffle @cards;
