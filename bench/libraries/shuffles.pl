# Decks of Perl's List::Util, a byte for each card: perl shuffles.pl CARDS
use List::Util "shuffle";
binmode STDOUT;
my @cards = 0 .. $ARGV[0] - 1;
1 while print pack "C*", shuffle @cards;
