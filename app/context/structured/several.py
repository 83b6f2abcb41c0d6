"""When a name is several people's: no answer, but who they are (G3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.context.structured.scene import MOST_LINES, Draft
from app.store.exact import traits_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.context.structured.people import Someone
    from app.context.structured.scene import Scene


def several(scene: Scene, name: str, people: Sequence[Someone], route: str) -> Draft:
    """The people who are called so, each with what was heard of them last."""
    draft = Draft(scene, route)
    draft.say(scene.words.several.format(name=name))
    for one in people[:MOST_LINES]:
        entry_id = one.entry_id
        if entry_id is None:
            last = next(iter(traits_of(scene.reader, one.ids, scene.visible)), None)
            entry_id = None if last is None else last.entry_id
        shown = scene.words.between.join(dict.fromkeys([one.name, *one.addresses[:2]]))
        draft.say(f"- {shown}", "" if entry_id is None else draft.cite_entry(entry_id))
    if len(people) > MOST_LINES:
        draft.say(scene.words.more.format(count=len(people) - MOST_LINES))
    return draft
