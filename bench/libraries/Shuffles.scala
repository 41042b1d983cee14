// Decks of Scala's Random.shuffle, one on each line: java Scala CARDS
object Scala extends App {
  val cards = (0 until args(0).toInt).toVector
  while (!Console.out.checkError()) println(util.Random.shuffle(cards).mkString(" "))
}
