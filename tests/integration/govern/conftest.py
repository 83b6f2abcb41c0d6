"""The store of the context tests serves here too."""

from tests.integration.context.conftest import empty, lanes, store

__all__ = ["empty", "lanes", "store"]
