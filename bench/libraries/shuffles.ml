(* Decks shuffled with OCaml's Random, a byte for each card: ./shuffles CARDS *)
let () =
  Random.self_init ();
  let cards = int_of_string Sys.argv.(1) in
  let deck = Bytes.create cards in
  while true do
    for i = 0 to cards - 1 do Bytes.set deck i (Char.chr i) done;
    for i = cards - 1 downto 1 do
      let j = Random.int (i + 1) in
      let card = Bytes.get deck i in
      Bytes.set deck i (Bytes.get deck j);
      Bytes.set deck j card
    done;
    print_bytes deck
  done
