"""What fairdeck says of its own commands: help, reference, completion, and the formats of `--json`.

`described` turns the parsers of the commands into plain data; the other modules show it.
"""
