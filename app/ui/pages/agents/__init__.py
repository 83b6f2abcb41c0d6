"""Who may read from Famulus, what they read, and what they suggest to remember."""
