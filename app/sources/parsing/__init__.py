"""Untrusted bytes become entries: one module for each format, run in a process of its own with limits.

Every parser is a pure function `parse(data, about) -> Parsed`. It raises `Unreadable` and nothing else on bad input.
"""
