# Decks of Ruby's Array#shuffle, a byte for each card: ruby shuffles.rb CARDS
$stdout.binmode
cards = (0...ARGV[0].to_i).to_a
begin
  loop { $stdout.write(cards.shuffle.pack("C*")) }
rescue Errno::EPIPE
  exit! # the reader closed the pipe
end
