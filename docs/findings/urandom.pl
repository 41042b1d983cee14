use List::Util "shuffle";

open my $in, "<:raw", "/dev/urandom" or die;
$List::Util::RAND = sub { read $in, my $bytes, 4; unpack("L", $bytes) / 2**32 };
print "@{[shuffle 0..51]}\n";
