"""Lanes for the tests of this folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.runtime.lanes import Lanes

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def lanes() -> Iterator[Lanes]:
    made = Lanes()
    yield made
    made.close()
