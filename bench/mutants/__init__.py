"""Mutation tests of the core: small faults are put into the code, and the tests must find each of them."""
