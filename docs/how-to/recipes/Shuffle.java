// Decks of Collections.shuffle for `fairdeck test`: n integers of 16 bits each, the lowest byte first, without end.
//
//   javac -d classes Shuffle.java
//   fairdeck test --exec "java -cp classes Shuffle {cards} 1" --format u16 --cards 52 --decks 100000 --alpha 1e-9
//
// Arguments: cards, a seed; a third argument, "broken", swaps each card with any card: the command must then exit with
// code 1. The numbers come from SHA1PRNG, which repeats them from a seed: java.util.Random would fail, since its state is
// read off a few decks.
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class Shuffle {
    public static void main(String[] words) throws GeneralSecurityException {
        int cards = Integer.parseInt(words[0]);
        SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
        random.setSeed(Long.parseLong(words[1]));
        // System.out swallows errors and would write on for ever.
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        try {
            for (;;) {
                List<Integer> deck = new ArrayList<>();
                for (int card = 0; card < cards; card++) deck.add(card);
                if (words.length > 2) {
                    for (int place = 0; place < cards; place++) Collections.swap(deck, place, random.nextInt(cards));
                } else {
                    Collections.shuffle(deck, random);
                }
                for (int card : deck) {
                    out.write(card);
                    out.write(card >> 8);
                }
            }
        } catch (IOException closed) {
            // The reader closed the pipe.
        }
    }
}
