"""Who sees what; it fails closed (G4.3, G8.1)."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.context_item import SearchRequest, Viewer
from app.domain.labels import EntryKind, Sensitivity
from app.policy.disclosure import filter_for, visible_to

CLIENT = Viewer(name="editor", scopes=frozenset({"work"}), acls=frozenset({"team"}), ceiling=1)
NAMES = st.frozensets(st.sampled_from(["work", "personal", "health"]))


def test_the_owner_sees_everything() -> None:
    visible = filter_for(Viewer(), SearchRequest("x"))
    assert visible.is_unrestricted
    assert visible.scopes is None
    assert visible.acls is None
    assert visible.ceiling is Sensitivity.HIGHLY_SENSITIVE
    assert not visible.include_stale


def test_a_client_sees_what_it_was_granted() -> None:
    visible = filter_for(CLIENT, SearchRequest("x"))
    assert visible.scopes == frozenset({"work"})
    assert visible.acls == frozenset({"team"})
    assert visible.ceiling is Sensitivity.INTERNAL
    assert not visible.is_unrestricted


@pytest.mark.parametrize(
    "viewer",
    [
        Viewer(name="editor"),
        Viewer(name="editor", scopes=frozenset({"work"})),
        Viewer(name="editor", acls=frozenset({"team"})),
        Viewer(name="editor", scopes=frozenset({"work"}), acls=frozenset({"team"}), ceiling=7),
        Viewer(name="editor", scopes=frozenset({"work"}), acls=frozenset({"team"}), ceiling=-1),
        Viewer(ceiling=9),
    ],
)
def test_a_viewer_without_full_rights_sees_nothing(viewer: Viewer) -> None:
    visible = filter_for(viewer, SearchRequest("x"))
    assert frozenset() in {visible.scopes, visible.acls}
    assert not visible.is_unrestricted


def test_a_request_narrows_and_never_widens() -> None:
    assert visible_to(CLIENT, scope="work").scopes == frozenset({"work"})
    assert visible_to(CLIENT, scope="health").scopes == frozenset()
    assert visible_to(Viewer(), scope="health").scopes == frozenset({"health"})


def test_an_owner_who_limits_themselves_is_limited() -> None:
    visible = filter_for(Viewer(scopes=frozenset({"work"})), SearchRequest("x"))
    assert visible.scopes == frozenset({"work"})
    assert not visible.is_unrestricted


@given(scopes=NAMES, acls=NAMES, ceiling=st.integers(-2, 6), wanted=st.sampled_from([None, "work", "health", "new"]))
def test_nothing_beyond_the_grant_is_ever_visible(
    scopes: frozenset[str], acls: frozenset[str], ceiling: int, wanted: str | None
) -> None:
    viewer = Viewer(name="client", scopes=scopes, acls=acls, ceiling=ceiling)
    visible = visible_to(viewer, scope=wanted)
    assert visible.scopes is not None
    assert visible.acls is not None
    assert visible.scopes <= scopes
    assert visible.acls <= acls
    assert int(visible.ceiling) <= max(ceiling, 0)
    assert not visible.is_unrestricted


def test_kinds_and_a_span_narrow_what_is_seen(now: datetime) -> None:
    request = SearchRequest("x", viewer=CLIENT, kinds=(EntryKind.MAIL, EntryKind.MAIL), since=now, until=now)
    visible = filter_for(CLIENT, request)
    assert (visible.kinds, visible.since, visible.until) == (frozenset({EntryKind.MAIL}), now, now)
    assert (visible.scopes, visible.acls, visible.ceiling) == (CLIENT.scopes, CLIENT.acls, Sensitivity.INTERNAL)
    everything = filter_for(CLIENT, SearchRequest("x"))
    assert (everything.kinds, everything.since, everything.until) == (None, None, None)
