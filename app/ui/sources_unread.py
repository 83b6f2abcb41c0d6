"""Keeps PySide from reading the source of every module that is imported after it.

PySide looks for its own name in each, for the sake of modules that switch its features, which none of ours does. Python
keeps what was read: 5 MB of text as 10 MB of memory, and a fifth of the time that it takes to start.

WORKAROUND: PySide6 6.11.3, `_mod_uses_pyside` in its bundled feature.py. Without that function nothing is changed.
"""

from __future__ import annotations

import sys

import PySide6.QtCore  # noqa: F401 - loads what is changed here

_FEATURES = "shibokensupport.feature"


def _uses_pyside(_module: object) -> bool:
    """What PySide would find out by reading: that no module wants to change how it is written."""
    return False


def leave_sources_unread() -> None:
    """Answer PySide's question for all modules to come."""
    features = sys.modules.get(_FEATURES)
    if hasattr(features, "_mod_uses_pyside"):
        features._mod_uses_pyside = _uses_pyside  # type: ignore[union-attr]  # noqa: SLF001
