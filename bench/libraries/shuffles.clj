; Decks of Clojure's shuffle, one on each line: java clojure.main shuffles.clj CARDS
(let [cards (range (Integer/parseInt (first *command-line-args*)))]
  (while (not (.checkError System/out))
    (.println System/out (apply str (interpose " " (shuffle cards))))))
