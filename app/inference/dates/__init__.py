"""Dates and times in texts: English and Chinese, read by grammars of our own (G2.4, X9.3)."""
