"""An empty world that stands at the instant of the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.context.answers import AnswerService
from app.runtime import clock
from app.runtime.lanes import Lanes
from app.store.database import FILE_NAME
from app.store.store import Store
from tests.integration.context.makers import World, world
from tests.integration.context.structured_world import NOW, OWN
from tests.unit.store.makers import new_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path


@pytest.fixture
def lanes() -> Iterator[Lanes]:
    made = Lanes()
    yield made
    made.close()


@pytest.fixture
def store(basedir: Path, now: datetime) -> Iterator[Store]:
    opened = Store(new_database(basedir / FILE_NAME, now=now))
    yield opened
    opened.close()


@pytest.fixture
def empty(store: Store, lanes: Lanes, now: datetime) -> Iterator[World]:
    with clock.use(now):
        yield world(store, lanes)


@pytest.fixture
def answers(empty: World) -> Iterator[AnswerService]:
    """Questions of the person whose addresses are `OWN`, asked at `NOW`."""
    service = AnswerService(empty.store, empty.lanes, empty.context)
    service.structured.own_addresses = OWN
    with clock.use(NOW):
        yield service
