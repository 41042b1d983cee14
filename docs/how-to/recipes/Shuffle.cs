// Decks of Random.Shuffle for `fairdeck test`: n integers of 16 bits each, the lowest byte first, without end.
//
//   dotnet new console -o decks && cp Shuffle.cs decks/Program.cs && dotnet build decks -c Release -o bin
//   fairdeck test --exec "bin/decks {cards}" --format u16 --cards 52 --decks 100000 --alpha 1e-9
//
// Random.Shared has no seed, so each run counts other decks. `new Random(1)` would fail: numbers of a seeded Random
// follow from a few before them. A second argument, "broken", swaps each card with any card: the command must then exit
// with code 1. Random.Shuffle is there from .NET 8 on; before, and in Mono (`mcs Shuffle.cs && mono Shuffle.exe 52`), the
// shuffle below stands for it: put that of your library there.
using System;
using System.IO;
using System.Security.Cryptography;

public static class Decks
{
#if NET8_0_OR_GREATER
    static int Below(int bound) => Random.Shared.Next(bound);
    static void Shuffle(ushort[] deck) => Random.Shared.Shuffle(deck);
#else
    static readonly RandomNumberGenerator source = RandomNumberGenerator.Create();
    static readonly byte[] drawn = new byte[4];

    static int Below(int bound)
    {
        for (;;)
        {
            source.GetBytes(drawn);
            uint bits = BitConverter.ToUInt32(drawn, 0);
            if (bits < uint.MaxValue / bound * bound) return (int)(bits % bound); // the last numbers would favour some cards
        }
    }

    static void Shuffle(ushort[] deck)
    {
        for (int place = deck.Length - 1; place > 0; place--) Swap(deck, place, Below(place + 1));
    }
#endif

    static void Swap(ushort[] deck, int a, int b)
    {
        ushort card = deck[a];
        deck[a] = deck[b];
        deck[b] = card;
    }

    public static void Main(string[] words)
    {
        var deck = new ushort[int.Parse(words[0])];
        var bytes = new byte[2 * deck.Length];
        try
        {
            using (Stream output = Console.OpenStandardOutput())
                for (;;)
                {
                    for (int place = 0; place < deck.Length; place++) deck[place] = (ushort)place;
                    if (words.Length < 2) Shuffle(deck);
                    else for (int place = 0; place < deck.Length; place++) Swap(deck, place, Below(deck.Length));
                    Buffer.BlockCopy(deck, 0, bytes, 0, bytes.Length);
                    output.Write(bytes, 0, bytes.Length);
                }
        }
        catch (IOException)
        {
            // The reader closed the pipe.
        }
    }
}
