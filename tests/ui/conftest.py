"""Where the window's libraries are not installed, its tests are left out; the core's do not need them (DESIGN 2)."""

from __future__ import annotations

import gc
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
HAS_WINDOW = find_spec("PySide6") is not None and find_spec("qasync") is not None
collect_ignore_glob = [] if HAS_WINDOW else ["test_*.py"]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from tests.ui.stage import Stage


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/ui/" in item.nodeid:
            item.add_marker(pytest.mark.ui)


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """The application, prepared once as the program does it."""
    from app.ui import theme

    theme.prepare(qapp)
    return qapp


@pytest.fixture
def stage(qapp: QApplication, basedir: Path) -> Iterator[Stage]:
    from PySide6.QtCore import QEvent

    from tests.ui.stage import Stage

    # a scenario lets its windows go when it ends; collected while they still paint, they would take Qt down with them
    gc.disable()
    try:
        yield Stage(qapp, basedir)
        for widget in qapp.topLevelWidgets():
            widget.hide()
            widget.deleteLater()
        # what is left over would be dressed anew by every later theme
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        qapp.processEvents()
    finally:
        gc.enable()
