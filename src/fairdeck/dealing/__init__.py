"""The deal: mat and goal, sort keys, plan, instructions, and what a deck and a mat imply."""
