"""Where the database of a test stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.store.database import FILE_NAME

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(basedir: Path) -> Path:
    return basedir / FILE_NAME
