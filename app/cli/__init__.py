"""The command line: says what the facade does, in words or as JSON. It decides nothing (DESIGN 6)."""
