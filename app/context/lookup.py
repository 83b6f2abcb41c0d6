"""An item by its id, with what stands around it in its entry (G4.1).

"c12" is a passage, "e12" an entry, "r5" a record of what an entry states. What is not there, what may not be seen and
what is no id at all are one and the same to whoever asks (G4.3).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.context.assembly import LEAST_CUT, cut_to
from app.context.items import Standing, context_item
from app.domain.errors import BadInput
from app.domain.text import msg
from app.store.reading import chunk_of_entry, neighbours, passages
from app.store.record_agenda import record_with_origin

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.context.assembly import Counter
    from app.domain.context_item import ContextItem
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.reading import Passage
    from app.store.visibility import View

BUDGET_TOKENS = 1_500
"""Of all passages together, where nothing else is asked for."""
_ID = re.compile(r"[cer][1-9][0-9]{0,17}", re.ASCII)
_AROUND = 40
"""Passages on either side that are looked at; a book is not handed out whole."""


def standing_around(  # noqa: PLR0913 - what a look-up is of
    reader: Reader,
    item_id: str,
    view: View,
    visible: VisibilityFilter,
    counter: Counter,
    *,
    now: datetime,
    budget_tokens: int | None,
) -> list[ContextItem]:
    """The passage that an id means, and those around it as far as the budget goes, in reading order.

    Raises:
        BadInput: see the module docstring.
    """
    chunk_id = _chunk_id(reader, item_id, visible)
    if chunk_id is None or chunk_id >= len(view.mask) or not view.mask[chunk_id]:
        raise unknown_item()
    focus = passages(reader, [chunk_id], visible)
    if not focus:
        raise unknown_item()
    around = neighbours(reader, chunk_id, visible, before=_AROUND, after=_AROUND)
    seen = [one for one in around if one.chunk_id < len(view.mask) and view.mask[one.chunk_id]]
    budget = BUDGET_TOKENS if budget_tokens is None else budget_tokens
    found = _within(focus[0], seen, budget, counter)
    return [context_item(passage, Standing(), now, {"exact": 1.0}) for passage in found]


def unknown_item() -> BadInput:
    """For everything that cannot be given by its id, without a word of why."""
    return BadInput(msg("There is no such item."), next_step=msg("Ask with the id of an item that a search found."))


def _chunk_id(reader: Reader, item_id: str, visible: VisibilityFilter) -> int | None:
    if not _ID.fullmatch(item_id):
        return None
    number = int(item_id[1:])
    if item_id.startswith("c"):
        return number
    if item_id.startswith("e"):
        return chunk_of_entry(reader, number)
    found = record_with_origin(reader, number, visible)
    if found is None:
        return None
    record, origin = found
    return record.chunk_id if record.chunk_id is not None else chunk_of_entry(reader, origin.entry_id)


def _within(focus: Passage, around: Sequence[Passage], budget: int, counter: Counter) -> list[Passage]:
    """The focus and an unbroken run around it, the nearest first; what does not fit is cut at a sentence."""
    left = budget - counter.count(focus.text)
    if left < 0:
        return [_shortened(focus, budget, counter)]
    found = [focus]
    after = iter([one for one in around if one.ordinal > focus.ordinal])
    before = iter([one for one in reversed(around) if one.ordinal < focus.ordinal])
    sides = [after, before]
    while sides:
        side = sides.pop(0)
        passage = next(side, None)
        if passage is None:
            continue
        size = counter.count(passage.text)
        if size <= left:
            found.append(passage)
            left -= size
            sides.append(side)
        elif side is after and left >= LEAST_CUT:
            found.append(_shortened(passage, left, counter))
            left = 0
    return sorted(found, key=lambda passage: passage.ordinal)


def _shortened(passage: Passage, budget: int, counter: Counter) -> Passage:
    return replace(passage, text=cut_to(passage.text, budget, counter))
