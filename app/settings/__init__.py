"""What a person can choose: declared once, kept as TOML. Knows nothing of what the settings are for."""
