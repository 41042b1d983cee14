"""Where the blocks of a run are counted: in this process, in several processes of this machine, or on a cluster."""
