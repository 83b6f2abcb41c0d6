"""What a widget shows and must show anew: its words after a change of language, its icons after a change of colours."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject


class Bindings:
    """Setters with what they are given, kept as long as their widget lives.

    `produce` must not hold the widget, or the widget would never go.
    """

    def __init__(self) -> None:
        self._bound: WeakKeyDictionary[QObject, dict[str, Callable[[], object]]] = WeakKeyDictionary()

    def bind(self, target: QObject, setter: str, produce: Callable[[], object]) -> None:
        """Call a setter now and at every refresh; a later call for the same setter takes its place."""
        self._bound.setdefault(target, {})[setter] = produce
        getattr(target, setter)(produce())

    def refresh(self) -> None:
        """Call every setter of every living widget."""
        for target, setters in list(self._bound.items()):
            if not isValid(target):
                continue
            for setter, produce in list(setters.items()):
                getattr(target, setter)(produce())
