"""The built-in kinds, put through the suite that every source passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sources.contract import Added, CursorRows, Warned
from tests.integration.sources.conformance import Conformance
from tests.unit.sources.makers import RESTED, calendar, drain, event, write

if TYPE_CHECKING:
    from pathlib import Path


class TestFolder(Conformance):
    kind = "files"

    def location(self, world: Path) -> Path:
        return world / "notes"

    def make(self, world: Path, number: int, text: str = "text") -> str:
        write(self.location(world) / f"{number % 7}" / f"note {number}.md", f"# Note\n\n{text} {number}\n")
        return f"{number % 7}/note {number}.md"

    def remove(self, world: Path, number: int) -> None:
        (self.location(world) / f"{number % 7}" / f"note {number}.md").unlink()

    def spoil(self, world: Path) -> None:
        write(self.location(world) / "broken.pdf", b"%PDF-1.7\nnothing")


class TestCalendarFolder(Conformance):
    kind = "ics"

    def location(self, world: Path) -> Path:
        return world / "calendars"

    def make(self, world: Path, number: int, text: str = "text") -> str:
        write(self.location(world) / f"{number}.ics", calendar(event(f"uid-{number}", text)))
        return f"{number}.ics#uid-{number}"

    def remove(self, world: Path, number: int) -> None:
        (self.location(world) / f"{number}.ics").unlink()

    def spoil(self, world: Path) -> None:
        write(self.location(world) / "broken.ics", "BEGIN:VCALENDAR\r\nnothing\r\n")


class TestCardFolder(Conformance):
    kind = "vcard"

    def location(self, world: Path) -> Path:
        return world / "contacts"

    def make(self, world: Path, number: int, text: str = "text") -> str:
        card = f"BEGIN:VCARD\r\nVERSION:4.0\r\nUID:uid-{number}\r\nFN:{text} {number}\r\nEND:VCARD\r\n"
        write(self.location(world) / f"{number}.vcf", card)
        return f"{number}.vcf#uid-{number}"

    def remove(self, world: Path, number: int) -> None:
        (self.location(world) / f"{number}.vcf").unlink()

    def spoil(self, world: Path) -> None:
        write(self.location(world) / "broken.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nEND:VCARD\r\n")


class TestCalendarFile(Conformance):
    """All events in one file: a cursor row knows which it held."""

    kind = "ics"

    def location(self, world: Path) -> Path:
        return world / "all.ics"

    def make(self, world: Path, number: int, text: str = "text") -> str:
        events = self._events(world)
        events[number] = text
        self._write(world, events)
        return f"all.ics#uid-{number}"

    def fill(self, world: Path, count: int = 6, first: int = 0) -> list[str]:
        self._write(world, {number: f"text {number}" for number in range(first, first + count)})
        return [f"all.ics#uid-{number}" for number in range(first, first + count)]

    def remove(self, world: Path, number: int) -> None:
        events = self._events(world)
        del events[number]
        self._write(world, events)

    def spoil(self, world: Path) -> None:
        text = (
            self.location(world)
            .read_text("utf-8")
            .replace("END:VCALENDAR", "BEGIN:VEVENT\r\nDTSTART;;:x\r\nEND:VEVENT")
        )
        write(self.location(world), text + "END:VCALENDAR\r\n")

    def test_garbage_is_skipped_and_the_rest_goes_on(self, world):
        self.kind = "ics"
        self.fill(world)
        self.spoil(world)
        changes = drain(self.open(world)[0], CursorRows())
        assert sum(isinstance(change, Added) for change in changes) == 6
        assert any(isinstance(change, Warned) for change in changes)

    def _events(self, world: Path) -> dict[int, str]:
        path = self.location(world)
        if not path.exists():
            return {}
        lines = path.read_text("utf-8").splitlines()
        uids = [int(line.removeprefix("UID:uid-")) for line in lines if line.startswith("UID:")]
        return dict(zip(uids, (line[8:] for line in lines if line.startswith("SUMMARY:")), strict=True))

    def _write(self, world: Path, events: dict[int, str]) -> None:
        text = calendar(*(event(f"uid-{number}", summary) for number, summary in events.items()))
        write(self.location(world), text, at=RESTED + len(text))
