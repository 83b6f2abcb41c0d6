"""Fixtures for the parts of the running program."""

from __future__ import annotations

import pytest

from app.runtime.lanes import Lanes


@pytest.fixture
def lanes():
    made = Lanes()
    yield made
    made.close()
