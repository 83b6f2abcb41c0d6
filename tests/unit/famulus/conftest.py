"""Fixtures for the parts of the running program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.runtime.lanes import Lanes


@pytest.fixture
def lanes() -> Iterator[Lanes]:
    made = Lanes()
    yield made
    made.close()
