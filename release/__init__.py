"""What is published, made from the last commit: the same commit gives the same bytes, wherever it is built.

* `build`: the wheel and the source archive, in ``dist/``; `pyz`: the one file ``dist/fairdeck.pyz``;
* `sbom`: the list of what is in them, and of what they ask for; `notes`: the notes of a release, with every SHA-256;
* `alone`: installs the wheel with each extra by itself, and uses what that extra promises; `pythons`: finds the
  interpreters of this machine and runs the tests of the core on each.

`commit` has what they share. Each runs as ``python -m release.NAME``; the Makefile has a target for each.
"""
