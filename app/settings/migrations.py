"""How settings files of earlier versions become today's. A step is frozen once it was released.

A step changes a parsed file (a mapping of tables) in place; `STEPS[n]` leads from version n + 1 to version n + 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    Step = Callable[[MutableMapping[str, Any]], None]

VERSION_KEY = "version"
STEPS: tuple[Step, ...] = ()


def version_of(parsed: MutableMapping[str, Any]) -> int:
    """The version of a settings file; one that a person began by hand has none and counts as the first."""
    version = parsed.get(VERSION_KEY, 1)
    return version if isinstance(version, int) and not isinstance(version, bool) and version >= 1 else 1


def current_version(steps: tuple[Step, ...] = STEPS) -> int:
    """The version that this Famulus writes."""
    return len(steps) + 1


def migrate(parsed: MutableMapping[str, Any], steps: tuple[Step, ...] = STEPS) -> None:
    """Bring a parsed file of this or an earlier version to the current one."""
    for step in steps[version_of(parsed) - 1 :]:
        step(parsed)
    parsed[VERSION_KEY] = max(current_version(steps), version_of(parsed))
