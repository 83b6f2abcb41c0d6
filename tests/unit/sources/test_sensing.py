"""Pictures and recordings become text by the senses; what cannot be read yet is read later (L6.5)."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import PIL.Image
import pytest

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.sources.contract import Added, Changed, CursorRows, Deleted, Unchanged, Warned
from app.sources.files.one_off import read_once
from app.sources.files.source import FilesSource
from app.sources.parsing.parsed import Sense
from tests.unit.sources.makers import Never, context, drain, write
from tests.unit.sources.parsing.test_recording import tone

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.domain.entries import Entry

DEAF = frozenset({Sense.PICTURES, Sense.RECORDINGS})


@dataclass
class FakeSenses:
    """Reads every picture as two lines, and every recording as two stretches with silence in between."""

    abilities: frozenset[Sense] = frozenset(Sense)
    problem: Exception | None = None
    seen: list[tuple[int, int]] = field(default_factory=list)

    def read_picture(self, pixels: bytes, width: int, height: int) -> Sequence[str]:
        assert len(pixels) == width * height * 3
        if self.problem is not None:
            raise self.problem
        self.seen.append((width, height))
        return ["Boat club", "船周五出发\ud800"]

    def transcribe(self, samples: bytes, rate: int) -> Sequence[tuple[int, str]] | None:
        assert rate == 16_000
        return [(2, "buy paint"), (24, " "), (49, "买油漆")] if Sense.SPEECH in self.abilities else None


def png() -> bytes:
    file = io.BytesIO()
    PIL.Image.new("RGB", (30, 20)).save(file, "PNG")
    return file.getvalue()


def entries(changes: Sequence[object]) -> list[Entry]:
    return [change.entry for change in changes if isinstance(change, Added | Changed)]


def test_text_first_and_pictures_last(tmp_path: Path) -> None:
    write(tmp_path / "a.png", png())
    write(tmp_path / "b.wav", tone(1))
    write(tmp_path / "z" / "note.txt", "hello")
    source = FilesSource(context(tmp_path, senses=FakeSenses(), original_bytes=1 << 20))
    found = entries(drain(source, CursorRows()))
    assert [entry.native_id for entry in found] == ["z/note.txt", "a.png", "b.wav"]
    assert [block.text for block in found[1].blocks] == ["Boat club\n船周五出发\ufffd"]
    assert [(block.text, block.place.second) for block in found[2].blocks] == [("buy paint", 2), ("买油漆", 49)]


def test_the_original_goes_along_up_to_its_limit(tmp_path: Path) -> None:
    data = png()
    write(tmp_path / "a.png", data)
    for limit, expected in ((len(data), data), (len(data) - 1, None), (0, None)):
        source = FilesSource(context(tmp_path, senses=FakeSenses(), original_bytes=limit))
        (entry,) = entries(drain(source, CursorRows()))
        assert (entry.original.data if entry.original else None) == expected
        if entry.original is not None:
            assert (entry.original.name, entry.original.media_type) == ("a.png", "image/png")
            assert repr(data[:8])[2:-1] not in repr(entry)


def test_without_senses_pictures_and_recordings_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "a.png", png())
    write(tmp_path / "b.wav", tone(1))
    changes = drain(FilesSource(context(tmp_path)), CursorRows())
    assert entries(changes) == []
    assert any(isinstance(change, Warned) and str(change.text).startswith("2 pictures") for change in changes)


def test_reading_that_is_switched_off_deletes_nothing(tmp_path: Path) -> None:
    write(tmp_path / "a.png", png())
    write(tmp_path / "note.txt", "hello")
    rows = CursorRows()
    drain(FilesSource(context(tmp_path, senses=FakeSenses())), rows)
    changes = drain(FilesSource(context(tmp_path, senses=FakeSenses(frozenset()))), rows)
    assert not [change for change in changes if isinstance(change, Deleted)]
    again = drain(FilesSource(context(tmp_path, senses=FakeSenses())), rows)
    assert entries(again) == []
    (tmp_path / "a.png").unlink()
    last = drain(FilesSource(context(tmp_path, senses=FakeSenses(), is_deletion_confirmed=True)), rows)
    assert [change.native_id for change in last if isinstance(change, Deleted)] == ["a.png"]


def test_a_recording_is_heard_as_soon_as_there_is_a_model(tmp_path: Path) -> None:
    write(tmp_path / "b.wav", tone(1))
    rows = CursorRows()
    deaf = FilesSource(context(tmp_path, senses=FakeSenses(DEAF)))
    first = drain(deaf, rows)
    (entry,) = entries(first)
    assert entry.blocks == ()
    assert any(isinstance(change, Warned) and "speech model" in str(change.text) for change in first)
    assert entries(drain(deaf, rows)) == []
    hearing = FilesSource(context(tmp_path, senses=FakeSenses()))
    again = drain(hearing, rows)
    (changed,) = [change for change in again if isinstance(change, Changed)]
    assert [block.text for block in changed.entry.blocks] == ["buy paint", "买油漆"]
    assert not [change for change in again if isinstance(change, Deleted | Warned)]
    last = drain(hearing, rows)
    assert entries(last) == []
    assert Unchanged(1) in last


@pytest.mark.parametrize(
    "problem", [Unavailable(msg("Not there."), next_step=msg("Wait.")), RuntimeError("a secret of the picture")]
)
def test_a_picture_that_cannot_be_read_is_known_by_name(
    tmp_path: Path, problem: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path / "a.png", png())
    changes = drain(FilesSource(context(tmp_path, senses=FakeSenses(problem=problem))), CursorRows())
    (entry,) = entries(changes)
    assert (entry.title, entry.blocks) == ("a", ())
    assert any(isinstance(change, Warned) for change in changes)
    assert "secret" not in caplog.text


def test_a_picture_that_is_named_is_imported(tmp_path: Path) -> None:
    path = write(tmp_path / "a.png", png())
    ((imported),) = read_once([str(path)], context(tmp_path / "elsewhere", senses=FakeSenses()), Never())
    assert imported.read.facts["text"] == "Boat club\n船周五出发\ufffd"
    ((refused),) = read_once([str(path)], context(tmp_path / "elsewhere"), Never())
    assert refused.read.refusal is not None
