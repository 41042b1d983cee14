<?php // Decks of PHP's shuffles, 16 bits for each card, the low byte first: php shuffles.php CARDS NAME
$cards = range(0, $argv[1] - 1);
if ($argv[1] > 256 && $argv[2] === 'str_shuffle') { fwrite(STDERR, 'a string holds 256 different bytes'); exit(2); }
$randomizer = new Random\Randomizer();
do {
    $deck = $cards;
    if ($argv[2] === 'shuffle') shuffle($deck);
    elseif ($argv[2] === 'str_shuffle') $deck = array_map('ord', str_split(str_shuffle(pack('C*', ...$deck))));
    elseif ($argv[2] === 'array_rand') $deck = array_rand($cards, 5);
    else $deck = $randomizer->shuffleArray($deck);
} while (@fwrite(STDOUT, pack('v*', ...$deck)));
