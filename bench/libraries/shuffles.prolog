% Decks of random_permutation, one on each line: swipl shuffles.prolog CARDS
:- use_module(library(random)).
:- use_module(library(lists)).
:- initialization(main, main).
main :-
    current_prolog_flag(argv, [Word|_]),
    atom_number(Word, Cards), Last is Cards - 1, numlist(0, Last, Sorted),
    repeat, random_permutation(Sorted, Deck), atomic_list_concat(Deck, ' ', Line), writeln(Line), fail.
