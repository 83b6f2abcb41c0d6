"""The facade: all that a shell may call. One process owns the data; the others reach it through the same methods."""
