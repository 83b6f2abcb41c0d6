"""Fixtures for every test: a folder of its own, and a clock that stands still."""

from __future__ import annotations

import gc
import logging
import os
import shutil
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import hypothesis
import pytest

from app.runtime import translation

# The suite starts hundreds of Pythons: what one of them has compiled serves the others, whatever the shell says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A commit waits for its disk. Where memory holds files, and programs in them may run, the folders of tests are there.
_MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of this user in it
_LEAST_FREE_BYTES = 4 << 30
if (
    sys.platform == "linux"
    and os.access(_MEMORY, os.W_OK)
    and not os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC
    and shutil.disk_usage(_MEMORY).free > _LEAST_FREE_BYTES
):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))

# How long a case takes says something of the machine, and nothing of the code; `make bench` measures.
# A run draws other examples than the one before: sixty are enough for one (many more: --hypothesis-profile=thorough).
hypothesis.settings.register_profile("famulus", deadline=None, max_examples=60)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=1_000)
hypothesis.settings.load_profile("famulus")

BEIJING = timezone(timedelta(hours=8))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Thousands of tests stay in memory to the end; the collector need not look through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones first, so that at the end no worker waits for another one's last test."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """The language of the process is one for all tests: who changes it leaves it as it was."""
    yield
    if translation.language() != translation.ENGLISH:
        translation.use_language(translation.ENGLISH)


@pytest.fixture
def basedir(tmp_path: Path) -> Path:
    """An empty base folder, as `--basedir` names it."""
    folder = tmp_path / "base"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def now() -> datetime:
    """The instant at which tests take place."""
    return datetime(2025, 5, 12, 9, 30, tzinfo=BEIJING)


@pytest.fixture(autouse=True)
def _levels_of_the_log() -> Iterator[None]:
    """What one test sets, the next one does not inherit."""
    loggers = [logging.getLogger(), logging.getLogger("app")]
    before = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)
