"""Freshness: what time does to records, by executable rules (G2.6, G2.7)."""
