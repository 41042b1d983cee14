import java.util.Arrays;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.util.MathArrays;

class ClockDeck {  // deals the second deck of a run, or finds it from its first cards
    public static void main(String[] seen) {
        int[] deck = new int[52];
        MathArrays.shuffle(deck);  // the first deck
        if (seen.length == 0) MathArrays.shuffle(sorted(deck));
        if (seen.length == 0) System.out.println(shown(deck));
        int hash = System.identityHashCode(deck);  // the code that comes next
        for (long now = System.currentTimeMillis(), ago = 0; seen.length > 0 && ago < 60_000; ago++) {
            MathArrays.shuffle(sorted(deck), new Well19937c(now - ago + hash));
            if (shown(deck).startsWith(String.join(" ", seen) + " ")) System.out.println(shown(deck));
        }
    }
    static int[] sorted(int[] deck) { for (int i = 0; i < 52; i++) deck[i] = i; return deck; }
    static String shown(int[] deck) { return Arrays.toString(deck).replaceAll("[^0-9 ]", ""); }
}
