"""Who may see what: a viewer and a request become the filter that runs before anything is scored (G4.3, G8.1).

Fails closed: a viewer who is not the owner and names no scopes, no access-control identifiers or no valid ceiling sees
nothing. A request can narrow what its viewer may see, never widen it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.context_item import OWNER
from app.domain.labels import Sensitivity
from app.domain.visibility import VisibilityFilter

if TYPE_CHECKING:
    from app.domain.context_item import SearchRequest, Viewer

_NOBODY: frozenset[str] = frozenset()


def filter_for(viewer: Viewer, request: SearchRequest) -> VisibilityFilter:
    """The rows that `viewer` may see within `request`; scoring sees no others."""
    seen = visible_to(viewer, scope=request.scope, include_stale=request.include_stale)
    kinds = frozenset(request.kinds) if request.kinds else None
    return replace(seen, kinds=kinds, since=request.since, until=request.until, least_trust=request.least_trust)


def visible_to(viewer: Viewer, *, scope: str | None = None, include_stale: bool = False) -> VisibilityFilter:
    """The same for questions that are no search, such as an agenda or a count."""
    is_owner = viewer.name == OWNER
    scopes = viewer.scopes if is_owner else _or_nothing(viewer.scopes)
    acls = viewer.acls if is_owner else _or_nothing(viewer.acls)
    ceiling = _ceiling(viewer.ceiling)
    if ceiling is None:
        scopes, acls, ceiling = _NOBODY, _NOBODY, Sensitivity.PUBLIC
    is_unrestricted = is_owner and scopes is None and acls is None and ceiling is Sensitivity.HIGHLY_SENSITIVE
    return VisibilityFilter(
        scopes=_narrow(scopes, scope),
        acls=acls,
        ceiling=ceiling,
        include_stale=include_stale,
        is_unrestricted=is_unrestricted,
    )


def shared_with(scope: str, acl: str, sensitivity: Sensitivity) -> VisibilityFilter:
    """What everybody may see who may see an entry with these rights.

    What governance writes down of an entry is decided by this alone, or some of its viewers would learn of the rest.
    """
    return VisibilityFilter(
        frozenset({scope}), frozenset({acl}), sensitivity, include_stale=True, is_unrestricted=False
    )


def _or_nothing(granted: frozenset[str] | None) -> frozenset[str]:
    return _NOBODY if granted is None else granted


def _ceiling(level: int) -> Sensitivity | None:
    try:
        return Sensitivity(level)
    except ValueError:
        return None


def _narrow(granted: frozenset[str] | None, wanted: str | None) -> frozenset[str] | None:
    if wanted is None:
        return granted
    return frozenset({wanted}) if granted is None or wanted in granted else _NOBODY
