"""Results that are kept for a moment, in memory alone, each for its very viewer (L3.2).

    viewer (name, scopes, acls, ceiling), kind of question, the question itself    -> result, until some moment

A result lasts as long as resources/rules/cache.toml says, and never beyond the day on which it was made, nor beyond the
moment at which something in it begins, ends or falls due. It goes before that when a write concerns its viewer
(`store.footprints`), and only then: what is hidden from them neither voids their results nor keeps any, so that the
time of an answer tells them nothing. Every viewer has room of their own. The clock is that of the request, so that
another `--now` is another window.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, TypeVar, cast

from app.policy.disclosure import visible_to
from app.runtime import clock
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence

    from app.domain.context_item import Viewer
    from app.domain.visibility import VisibilityFilter
    from app.store.footprints import Footprint

T = TypeVar("T")
Key = tuple[str, "Hashable"]


@dataclass(frozen=True, slots=True)
class CacheRules:
    """How long, and how much.

    Attributes:
        lifetimes: by kind of question. results, items: of one viewer.
    """

    version: str
    lifetimes: Mapping[str, timedelta]
    results: int
    items: int
    viewers: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A result, its number of items, and from when until when it may be given: [since, until)."""

    value: object
    size: int
    since: datetime
    until: datetime


@dataclass(slots=True)
class _Shelf:
    """The results of one viewer, the one used last at the end. `writes` counts those that concerned them."""

    visible: VisibilityFilter
    kept: OrderedDict[Key, Kept] = field(default_factory=OrderedDict)
    size: int = 0
    writes: int = 0

    def put(self, key: Key, one: Kept, rules: CacheRules) -> None:
        self.drop(key)
        self.kept[key] = one
        self.size += one.size
        while self.kept and (len(self.kept) > rules.results or self.size > rules.items):
            self.drop(next(iter(self.kept)))

    def drop(self, key: Key) -> None:
        gone = self.kept.pop(key, None)
        self.size -= 0 if gone is None else gone.size


class ResultCache:
    """See the module docstring. Any thread may ask; the writer's thread voids."""

    def __init__(self, rules: CacheRules | None = None) -> None:
        self._rules = rules or cache_rules()
        self._lock = Lock()
        self._shelves: OrderedDict[Viewer, _Shelf] = OrderedDict()

    async def through(
        self, viewer: Viewer, key: Key, work: Callable[[], Awaitable[T]], life: Callable[[T, datetime], Life | None]
    ) -> T:
        """The kept result of a question, or what the work makes of it; then that is kept, if it has a life.

        Args:
            key: the kind of question, one with a lifetime; and all that decides the result beside the viewer.
        """
        now = clock.now()
        whole = (key[0], (key[1], str(now.tzinfo), now.utcoffset()))
        kept = self.get(viewer, whole, now)
        if kept is not None:
            return cast("T", kept.value)
        ticket = self.ticket(viewer)
        value = await work()
        lasting = life(value, now)
        if lasting is not None:
            self.put(viewer, whole, value, ticket, lasting)
        return value

    def get(self, viewer: Viewer, key: Key, now: datetime) -> Kept | None:
        """What is kept for a question of a viewer at a moment, or None."""
        with self._lock:
            shelf = self._shelves.get(viewer)
            found = None if shelf is None else shelf.kept.get(key)
            if shelf is None or found is None:
                return None
            if not found.since <= now < found.until:
                shelf.drop(key)
                return None
            shelf.kept.move_to_end(key)
            return found

    def ticket(self, viewer: Viewer) -> int:
        """Taken before the work: with it the result is kept only if nothing was written for the viewer meanwhile."""
        with self._lock:
            return self._shelf(viewer).writes

    def put(self, viewer: Viewer, key: Key, value: object, ticket: int, life: Life) -> None:
        """Keep a result."""
        until = min(life.now + self._rules.lifetimes[key[0]], *life.ends)
        if until <= life.now:
            return
        with self._lock:
            shelf = self._shelf(viewer)
            if shelf.writes == ticket:
                shelf.put(key, Kept(value, life.size, life.now, until), self._rules)

    def follow(self, footprints: frozenset[Footprint]) -> None:
        """Something was written: forget what whoever may see it was told."""
        with self._lock:
            for shelf in self._shelves.values():
                if any(one.concerns(shelf.visible) for one in footprints):
                    shelf.kept.clear()
                    shelf.size = 0
                    shelf.writes += 1

    def clear(self) -> None:
        """Forget everything; what is being worked out is not kept either."""
        with self._lock:
            for shelf in self._shelves.values():
                shelf.kept.clear()
                shelf.size = 0
                shelf.writes += 1

    def _shelf(self, viewer: Viewer) -> _Shelf:
        shelf = self._shelves.get(viewer)
        if shelf is None:
            # whose rights were changed had others before
            for other in [one for one in self._shelves if one.name == viewer.name]:
                del self._shelves[other]
            shelf = self._shelves[viewer] = _Shelf(visible_to(viewer, include_stale=True))
            while len(self._shelves) > self._rules.viewers:
                self._shelves.popitem(last=False)
        self._shelves.move_to_end(viewer)
        return shelf


@dataclass(frozen=True, slots=True)
class Life:
    """When a result was made, how many items it has, and moments at which it is another one."""

    now: datetime
    size: int
    ends: tuple[datetime, ...]

    @classmethod
    def of(cls, now: datetime, size: int, moments: Sequence[datetime | None]) -> Life:
        """A result lasts until the next of some moments, and never beyond its day."""
        midnight = datetime.combine(now.date() + timedelta(days=1), time.min, now.tzinfo)
        return cls(now, size, (midnight, *(moment for moment in moments if moment is not None and moment > now)))


@cache
def cache_rules() -> CacheRules:
    """Those of the rule file."""
    table = resource_table("rules", "cache.toml")
    lifetimes = {kind: timedelta(seconds=seconds) for kind, seconds in table["lifetimes"].items()}
    return CacheRules(str(table["version"]), lifetimes, **table["limits"])
