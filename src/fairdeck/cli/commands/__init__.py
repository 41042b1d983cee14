"""The commands, one module each; `fairdeck.cli` finds them here."""
