"""Draws that several people make: nobody chooses the order, or nobody knows it.

Announce, commit, list, show, use, audit: one protocol and one format, ``fairdeck-trust/1``, for phones, terminals,
files, two deals one after the other, and the two lists of a board.

* `fields`: values as the bytes that are hashed, and as the JSON of a file;
* `agreement`: what people agree on beforehand;
* `draws`: commitments, lists, own bytes, and the decks that follow;
* `states`: a draw as one device sees it, and the table of what may come when;
* `messages`: what people scan, copy or read aloud;
* `files`, `verifying`: what they send as files, at the end a transcript, and whether it holds;
* `beacon`: public values that nobody knows beforehand, and when;
* `boards`: bridge boards, or deals of any game, as two lists;
* `derivations`, `rounds`: cards that others dealt from seeds, computed again.

docs/reference/draw.md specifies every byte. Nothing here opens a user's file, reads a clock or draws a random number.
"""
