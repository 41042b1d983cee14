"""The speed of shuffles, side by side: C++, Rust, NumPy, Python and ours.

`build` compiles, `contenders` lists the contenders of each job, `right` checks each of them before it is
measured, `page` and `picture` write the results, and ``python -m bench.peers`` does all of this.
"""
