"""Whom a name in a text means, where one person alone is called so (G2.4, G4.3).

Asked when a question is answered and not when the text is read, so that an answer does not hang on what of somebody was
read first: their full name, or the minutes that call them Emma. It sees what the viewer sees, and merges nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.context.structured.people import people_called
from app.context.structured.same_name import may_be_one
from app.store.name_keys import name_key

if TYPE_CHECKING:
    from app.context.structured.people import Someone
    from app.context.structured.scene import Scene


class Called:
    """The names of one answer's lines: each is looked up once, and only where it may be that of who is asked for."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._known: dict[str, Someone | None] = {}

    def is_one(self, name: str, who: Someone) -> bool:
        """Whether a name is borne by one person alone, and that is this one."""
        if not any(may_be_one(name, own) for own in (who.name, *who.addresses, *who.keys)):
            return False
        key = name_key(name)
        if key not in self._known:
            people = people_called(self.scene.reader, name, self.scene.visible)
            self._known[key] = people[0] if len(people) == 1 else None
        found = self._known[key]
        if found is None:
            return False
        return bool({*found.ids} & {*who.ids} or {*found.addresses} & {*who.addresses})
