-- Decks shuffled with Lua's math.random, a byte for each card: lua shuffles.lua CARDS
local cards = tonumber(arg[1])
math.randomseed(os.time())
repeat
  local deck = {}
  for i = 1, cards do deck[i] = i - 1 end
  for i = cards, 2, -1 do
    local j = math.random(i)
    deck[i], deck[j] = deck[j], deck[i]
  end
until not io.write(string.char((unpack or table.unpack)(deck)))
