"""Later statements that change earlier ones: cancelled, moved, done, taken back (G2.5, G2.6, G3.3, X9.1)."""
