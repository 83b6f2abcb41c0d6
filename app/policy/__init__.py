"""Pure rules: what enters, and who sees it. Decides only; no I/O, no clock, no database."""
