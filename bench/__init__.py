"""Measurements of the core, with the peers in the same run; ``python -m bench`` writes the figures."""
