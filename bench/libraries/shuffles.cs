// Decks of C# shuffles, 16 bits for each card, the low byte first: mono shuffles.exe CARDS NAME
using System;
using System.IO;
using System.Linq;

static class Shuffles {
    static void Main(string[] words) {
        var random = new Random();
        var cards = Enumerable.Range(0, int.Parse(words[0])).Select(card => (ushort)card).ToArray();
        var deck = cards;
        var bytes = new byte[2 * deck.Length];
        using (var output = Console.OpenStandardOutput())
            try {
                for (;;) {
                    if (words[1] == "Guid") deck = cards.OrderBy(card => Guid.NewGuid()).ToArray();
                    else if (words[1] == "OrderBy") deck = cards.OrderBy(card => random.Next()).ToArray();
                    else {
                        deck = (ushort[])cards.Clone();
                        for (int i = deck.Length - 1; i > 0; i--) {
                            int j = random.Next(i + 1);
                            ushort card = deck[i];
                            deck[i] = deck[j];
                            deck[j] = card;
                        }
                    }
                    Buffer.BlockCopy(deck, 0, bytes, 0, bytes.Length);
                    output.Write(bytes, 0, bytes.Length);
                }
            } catch (IOException) {} // the reader closed the pipe
    }
}
