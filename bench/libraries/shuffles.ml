(* Decks shuffled with OCaml's Random, 16 bits for each card, the low byte first: ./shuffles CARDS *)
let () =
  Random.self_init ();
  let cards = int_of_string Sys.argv.(1) in
  let deck = Bytes.create (2 * cards) in
  while true do
    for i = 0 to cards - 1 do Bytes.set_uint16_le deck (2 * i) i done;
    for i = cards - 1 downto 1 do
      let j = Random.int (i + 1) in
      let card = Bytes.get_uint16_le deck (2 * i) in
      Bytes.set_uint16_le deck (2 * i) (Bytes.get_uint16_le deck (2 * j));
      Bytes.set_uint16_le deck (2 * j) card
    done;
    print_bytes deck
  done
