"""The steps of the first run, one file each (D8.5)."""
