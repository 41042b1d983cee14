"""Fuzzing: what reads files and texts from others gets inputs that no person would write.

A reader may take an input, or refuse it with a FairdeckError: one line. Any other exception, five seconds, or one GiB
more than at the start is a fault. `tests/test_fuzz.py` tries the inputs that are kept and changes of them, made by
Hypothesis, in every run of the tests; `make fuzz` tries many more, guided by coverage (Atheris).

    make fuzz                                                  every reader, ten seconds each
    make fuzz READERS=plan SECONDS=600                         one reader
    python -m tests.fuzz.corpus plan "a huge number" FILE      keep an input that found a fault
"""
