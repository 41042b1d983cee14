# Decks of Elixir's Enum.shuffle, 16 bits for each card, the low byte first: elixir shuffles.exs CARDS
cards = Enum.to_list(0..(String.to_integer(hd(System.argv())) - 1))
:io.setopts(:standard_io, encoding: :latin1)

Stream.repeatedly(fn -> for card <- Enum.shuffle(cards), into: <<>>, do: <<card::little-16>> end)
|> Enum.find(fn deck -> IO.binwrite(deck) != :ok end)
