# Decks of Ruby's arrays, 16 bits for each card, the low byte first: ruby shuffles.rb CARDS METHOD
$stdout.binmode
cards = (0...ARGV[0].to_i).to_a
begin
  name, count = ARGV[1].split(/[()]/)
  loop { $stdout.write(cards.send(name, *count&.to_i).pack("v*")) }
rescue Errno::EPIPE
  exit! # the reader closed the pipe
end
