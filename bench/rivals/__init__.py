"""Other ways to test a shuffle, beside `fairdeck test`: see `bench.rivals.__main__`."""
