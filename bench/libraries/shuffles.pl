# Decks of Perl's List::Util, 16 bits for each card, the low byte first: perl shuffles.pl CARDS [SAMPLE]
use List::Util "shuffle", "sample";
binmode STDOUT;
my @cards = 0 .. $ARGV[0] - 1;
1 while print pack "v*", $ARGV[1] ? sample $ARGV[1], @cards : shuffle @cards;
