// Decks of Java shuffles, 16 bits for each card, the low byte first: java Shuffles CARDS NAME. The classes of Apache Commons are looked up.
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

public class Shuffles {
    static Consumer<List<Integer>> shuffle(String name) throws ReflectiveOperationException {
        switch (name) {
            case "Collections.shuffle": return Collections::shuffle;
            case "Random": { Random random = new Random(); return deck -> Collections.shuffle(deck, random); }
            case "SecureRandom": { Random random = new SecureRandom(); return deck -> Collections.shuffle(deck, random); }
            case "ThreadLocalRandom": return deck -> Collections.shuffle(deck, ThreadLocalRandom.current());
            case "SplittableRandom": return fisherYates(new SplittableRandom());
            case "L64X128MixRandom": return fisherYates(RandomGenerator.of("L64X128MixRandom"));
            case "commons-lang3": return arrays("org.apache.commons.lang3.ArrayUtils");
            case "commons-math3": return arrays("org.apache.commons.math3.util.MathArrays");
            default: throw new IllegalArgumentException("no shuffle is called " + name);
        }
    }

    static Consumer<List<Integer>> fisherYates(RandomGenerator random) {
        return deck -> {
            for (int i = deck.size() - 1; i > 0; i--) Collections.swap(deck, i, random.nextInt(i + 1));
        };
    }

    // A class with a static shuffle(int[]), if it is on the class path.
    static Consumer<List<Integer>> arrays(String type) throws ReflectiveOperationException {
        var method = Class.forName(type).getMethod("shuffle", int[].class);
        return deck -> {
            int[] cards = deck.stream().mapToInt(Integer::intValue).toArray();
            try {
                method.invoke(null, (Object) cards);
            } catch (ReflectiveOperationException error) {
                throw new IllegalStateException(error);
            }
            for (int i = 0; i < cards.length; i++) deck.set(i, cards[i]);
        };
    }

    public static void main(String[] words) throws ReflectiveOperationException {
        int cards = Integer.parseInt(words[0]);
        Consumer<List<Integer>> shuffle = shuffle(words[1]);
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        try {
            for (;;) {
                List<Integer> deck = new ArrayList<>();
                for (int card = 0; card < cards; card++) deck.add(card);
                shuffle.accept(deck);
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
