from __future__ import annotations

from tests.unit.store.conftest import database, path

__all__ = ["database", "path"]
