"""Where a run is counted (here, in processes, on a cluster), and how it is stored, merged and verified."""
