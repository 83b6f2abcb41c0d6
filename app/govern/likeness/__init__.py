"""What is the same: entries that say what another entry says too (G2.1)."""
