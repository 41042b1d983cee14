"""Exact laws of what is counted on fair decks, their tails, intervals, and the power of a test."""
