"""Layer two: entries become passages; syncs and indexing run through here (G2)."""
