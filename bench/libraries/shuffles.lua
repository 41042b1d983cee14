-- Decks shuffled with Lua's math.random, 16 bits for each card, the low byte first: lua shuffles.lua CARDS
local cards = tonumber(arg[1])
math.randomseed(os.time())
repeat
  local deck = {}
  for i = 1, cards do deck[i] = i - 1 end
  for i = cards, 2, -1 do
    local j = math.random(i)
    deck[i], deck[j] = deck[j], deck[i]
  end
  for i = 1, cards do deck[i] = string.char(deck[i] % 256, math.floor(deck[i] / 256)) end
until not io.write(table.concat(deck))
