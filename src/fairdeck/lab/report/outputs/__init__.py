"""The forms of a report, one file each."""
