"""The batch tasks: a module each, found by name in `registry`."""
