"""Shuffling as fast as it is done elsewhere, side by side: C++, Rust, NumPy, Python and ours.

`build` compiles, `contenders` lists who takes part in which job, `right` proves each of them before it is
measured, `page` and `picture` write what was found, and ``python -m bench.peers`` does all of it.
"""
