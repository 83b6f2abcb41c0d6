"""The commands, by what they are about. Each module adds its own to the root with `add_to`."""
