"""Values, events and errors that every layer speaks. Standard library only; no I/O, no clock."""
