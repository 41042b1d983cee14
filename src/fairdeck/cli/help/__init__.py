"""What fairdeck says of its own commands: the list of them, and the formats of `--json`."""
