<?php // Decks of PHP's shuffles, a byte for each card: php shuffles.php CARDS NAME
$cards = range(0, $argv[1] - 1);
$randomizer = new Random\Randomizer();
do {
    $deck = $cards;
    if ($argv[2] === 'shuffle') shuffle($deck);
    elseif ($argv[2] === 'str_shuffle') $deck = array_map('ord', str_split(str_shuffle(pack('C*', ...$deck))));
    else $deck = $randomizer->shuffleArray($deck);
} while (@fwrite(STDOUT, pack('C*', ...$deck)));
