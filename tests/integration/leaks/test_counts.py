"""What is counted is counted among what may be seen: words, speakers, likes (G4.3)."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from app.context.speakers import Speakers
from app.domain.context_item import SearchRequest, Viewer
from app.domain.entries import Block, Place
from app.domain.labels import BlockKind, EntryKind, Sensitivity
from app.policy.disclosure import visible_to
from app.runtime import clock
from app.store.connection import DatabaseKey
from app.store.database import FILE_NAME
from app.store.likenesses import likenesses_of
from app.store.store import Store
from tests.integration.context.makers import world
from tests.integration.leaks.stories import NOW, RIGHTS
from tests.integration.leaks.worlds import source_of, understand
from tests.unit.govern.makers import entry

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.entries import Entry
    from app.runtime.lanes import Lanes
    from tests.integration.leaks.stories import Rights

EDITOR = Viewer("editor", frozenset({"work"}), frozenset({"team"}), 1)
OPEN, HIDDEN = RIGHTS[0], RIGHTS[1]


def _store(folder: Path) -> Store:
    key = DatabaseKey(secrets.token_bytes(32), secrets.token_bytes(16))
    return Store.create(folder / FILE_NAME, key, now=NOW)


def _chat(name: str, rights: Rights, *messages: str) -> Entry:
    blocks = [Block(BlockKind.PARAGRAPH, text, Place(message_id=f"{name}:{at}")) for at, text in enumerate(messages)]
    return entry(
        blocks, native_id=name, title="", kind=EntryKind.CHAT, source_id=rights.source_id, source_uri=f"chat:{name}"
    )


def _note(name: str, rights: Rights, text: str) -> Entry:
    blocks = [Block(BlockKind.PARAGRAPH, text)]
    return entry(
        blocks, native_id=name, title=name, kind=EntryKind.NOTE, source_id=rights.source_id, source_uri=f"note:{name}"
    )


async def test_words_that_are_frequent_in_secret_hide_no_speaker(basedir: Path, lanes: Lanes) -> None:
    store = _store(basedir)
    made = world(store, lanes)
    with clock.use(NOW):
        for at in range(14):
            await made.add(_chat(f"open{at}", OPEN, f"Anna: the rent of May, number {at}"), source=source_of(OPEN))
        for at in range(20):
            hidden = _chat(f"hidden{at}", HIDDEN, f"roses, dentist and garden, number {at}")
            await made.add(hidden, source=source_of(HIDDEN))
        visible = visible_to(EDITOR)
        view = store.visibility.view(visible, NOW)
        text = "what did anna say of roses, dentist and garden"
        assert Speakers(store.database, store.lexical).named_in(text, view, visible) == ("Anna",)
    store.close()


async def test_copies_in_secret_keep_nothing_from_being_folded(basedir: Path, lanes: Lanes) -> None:
    """An entry is compared with a dozen others at most when it is understood; for a client among what was found."""
    store = _store(basedir)
    made = world(store, lanes)
    text = (
        "The garden plan has four beds with roses, a pond and a bench by the wall. The bench is made of oak by the "
        "neighbour, the pond is a yard deep, and the roses are red, white and yellow in turn."
    )
    with clock.use(NOW):
        await made.add(_note("first", OPEN, f"{text} Told by Ann."), source=source_of(OPEN))
        for at in range(16):
            await made.add(_note(f"copy{at}", HIDDEN, f"{text} Told by Ben."), source=source_of(HIDDEN))
        await made.add(_note("last", OPEN, f"{text}  told by  Ann!"), source=source_of(OPEN))
        await understand(made)
        with store.database.reader() as reader:
            assert len(likenesses_of(reader, 1)) < 17
        found = await made.context.search(SearchRequest("garden plan pond roses bench", viewer=EDITOR))
    assert len(found) == 1
    assert found[0].explanation["folded"] == 1
    assert found[0].sensitivity is Sensitivity.INTERNAL
    store.close()
