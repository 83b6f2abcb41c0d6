"""Famulus: a private steward for one person's context.

The folders are the layers, and data goes one way: `sources` collects, `govern` cleans and dates, `store` keeps
encrypted, `context` serves. `famulus` is the facade that the shells (`ui`, `cli`) call. See docs/ARCHITECTURE.md.
"""

__version__ = "0.1.0"
