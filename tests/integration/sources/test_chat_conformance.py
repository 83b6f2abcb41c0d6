"""Chats, put through the suite that every source passes: a folder of exports, one a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sources.contract import Added, Changed, CursorRows, Deleted, Skipped
from tests.integration.sources.conformance import Conformance
from tests.unit.sources.makers import RESTED, drain, write

if TYPE_CHECKING:
    from pathlib import Path


class TestChats(Conformance):
    kind = "chat"

    def location(self, world: Path) -> Path:
        return world / "chats"

    def make(self, world: Path, number: int, text: str = "text") -> str:
        lines = (f"14/05/2024, 21:05 - Ann: {text}", f"14/05/2024, 21:06 - Ben: {number}", "")
        write(self.location(world) / f"WhatsApp Chat with {number}.txt", "\n".join(lines))
        return f"WhatsApp Chat with {number}.txt#2024-05-14"

    def remove(self, world: Path, number: int) -> None:
        (self.location(world) / f"WhatsApp Chat with {number}.txt").unlink()

    def spoil(self, world: Path) -> None:
        write(self.location(world) / "note.txt", "only a note\n")

    def test_a_longer_export_adds_days_and_nothing_else(self, world: Path) -> None:
        day = "{0}/05/2024, 21:05 - Ann: one\n{0}/05/2024, 21:06 - Ben: two\n"
        path = self.location(world) / "_chat.txt"
        rows = CursorRows()
        write(path, day.format(14) + day.format(15))
        source, _ = self.open(world)
        assert [change.entry.native_id for change in drain(source, rows) if isinstance(change, Added)] == [
            "_chat.txt#2024-05-14",
            "_chat.txt#2024-05-15",
        ]
        write(path, day.format(14) + day.format(15) + "15/05/2024, 22:00 - Cem: new\n" + day.format(16), at=RESTED + 9)
        changes = drain(source, rows)
        assert [change.entry.native_id for change in changes if isinstance(change, Added)] == ["_chat.txt#2024-05-16"]
        assert [change.entry.native_id for change in changes if isinstance(change, Changed)] == ["_chat.txt#2024-05-15"]
        assert not [change for change in changes if isinstance(change, Deleted | Skipped)]
