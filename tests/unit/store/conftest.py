"""An open database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.store.database import FILE_NAME, Database
from app.store.source_rows import add_source
from tests.unit.store.makers import new_database, source_info

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path


@pytest.fixture
def path(basedir: Path) -> Path:
    return basedir / FILE_NAME


@pytest.fixture
def database(path: Path, now: datetime) -> Iterator[Database]:
    """An empty database with one source, `notes`."""
    opened = new_database(path, now=now)
    with opened.write() as tx:
        add_source(tx, source_info())
    yield opened
    opened.close()
