"""The pages of the window. Each has something behind it."""
