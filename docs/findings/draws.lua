math.randomseed(os.time())
local drawn, told = {}, 0
for n = 1, 1031 do
    drawn[n] = math.random()
    if n > 31 then
        local off = (drawn[n] - drawn[n - 31] - drawn[n - 3]) % 1
        if off < 0.0001 or off > 0.9999 then told = told + 1 end
    end
end
print(told .. " of 1000 draws are the sum of those 31 and 3 draws before")
