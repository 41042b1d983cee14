"""Where the blocks of a run are counted: in this process, or in several processes of this machine."""
