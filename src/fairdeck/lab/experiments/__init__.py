"""Experiments beside the battery: rank histograms, bounded integers, lower bounds of distances, packet flows."""
