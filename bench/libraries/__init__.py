"""The shuffles of languages and packages that one can install, tested one by one: ``python -m bench.libraries``.

`rows` lists them. Each language has one small program, ``shuffles.*``, that writes decks of them; ``install.sh``
fetches what this machine lacks into ``build/libraries``.
"""
