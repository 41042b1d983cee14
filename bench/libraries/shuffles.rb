# Decks of Ruby's Array#shuffle, 16 bits for each card, the low byte first: ruby shuffles.rb CARDS
$stdout.binmode
cards = (0...ARGV[0].to_i).to_a
begin
  loop { $stdout.write(cards.shuffle.pack("v*")) }
rescue Errno::EPIPE
  exit! # the reader closed the pipe
end
