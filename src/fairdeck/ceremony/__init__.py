"""Draws for a club or a tournament, by files: announced, sealed, shown, and checked by everybody afterwards.

The protocol is that of `fairdeck.dealing.together`; here are the files and their checks:

* `times`: times as they are agreed on, in UTC;
* `documents`: the one way in which a file is written, and the strict way in which it is read;
* `beacons`: public values that nobody knows beforehand, one file a source;
* `transcript`: a finished draw in one file, with the void attempts before it;
* `steps`: the files that people send each other on the way there;
* `verifying`: whether a transcript holds, and what does not fit first.

docs/reference/transcript.md specifies every byte. Nothing here opens a file, reads a clock or draws a random number.
"""
