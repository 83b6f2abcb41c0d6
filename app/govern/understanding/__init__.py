"""What an entry means: its records, who and what it names, and what it makes of older entries (G2.4, G2.6)."""
