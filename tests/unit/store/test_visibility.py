from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.labels import EntryKind, Sensitivity
from app.domain.visibility import VisibilityFilter
from app.store import visibility
from app.store.database import Database
from app.store.source_rows import add_source
from app.store.store import Store
from app.store.writes import invalidate_missing, remove_source
from tests.unit.store.makers import OWNER, OWNER_WITH_STALE, limited_to, new_database, source_info, store_text

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database)


def seen(store: Store, visible: VisibilityFilter, now: datetime) -> list[int]:
    return np.flatnonzero(store.visibility.mask(visible, now)).tolist()


def test_the_owner_sees_everything_that_holds(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one", "two")
    store_text(store.database, "b", "three", scope="work", sensitivity=Sensitivity.HIGHLY_SENSITIVE)
    assert seen(store, OWNER, now) == [1, 2, 3]


def test_scope_acl_and_sensitivity_limit_what_is_seen(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one", scope="work")
    store_text(store.database, "b", "two", scope="work", sensitivity=Sensitivity.HIGHLY_SENSITIVE)
    store_text(store.database, "c", "three", scope="work", acl="doctor")
    store_text(store.database, "d", "four", scope="family")
    assert seen(store, limited_to("work"), now) == [1, 3]
    only_owner = VisibilityFilter(
        None, frozenset({"owner"}), Sensitivity.PUBLIC, include_stale=True, is_unrestricted=False
    )
    assert seen(store, only_owner, now) == []
    assert seen(store, limited_to("unheard"), now) == []
    assert seen(store, limited_to(), now) == []


def test_a_view_says_of_any_chunk_whether_it_shows_it(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one", scope="work")
    store_text(store.database, "b", "two", scope="family")
    view = store.visibility.view(limited_to("work"), now)
    assert view.shows(np.array([2, 1, 0, 10**12])).tolist() == [False, True, False, False]
    assert [bool(view.shows(chunk_id)) for chunk_id in (1, 2, 3)] == [True, False, False]


def test_what_expired_is_stale_from_that_instant_on(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one", entry={"valid_to": now})
    just_before = now - timedelta(microseconds=1)
    assert seen(store, OWNER, just_before) == [1]
    assert seen(store, OWNER, now) == []
    assert seen(store, OWNER_WITH_STALE, now) == [1]
    loaded = Store(store.database)
    assert (seen(loaded, OWNER, just_before), seen(loaded, OWNER, now)) == ([1], [])
    # a question of an earlier time (--now) after one of a later time
    assert seen(store, OWNER, just_before) == [1]


def test_a_new_version_and_a_deletion_make_stale(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one")
    store_text(store.database, "b", "two")
    assert seen(store, OWNER, now) == [1, 2]
    store_text(store.database, "a", "one again")
    with store.database.write() as tx:
        invalidate_missing(tx, "notes", ["b"], now=now)
    assert seen(store, OWNER, now) == [3]
    assert seen(store, OWNER_WITH_STALE, now) == [1, 2, 3]


def test_a_removed_source_is_seen_by_nobody(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one")
    with store.database.write() as tx:
        remove_source(tx, "notes", now=now)
    assert seen(store, OWNER_WITH_STALE, now) == []
    assert store.visibility.view(OWNER, now).count == 0


def test_nothing_is_seen_of_a_transaction_that_failed(store: Store, now: datetime) -> None:
    class Interrupted(Exception):
        pass

    def fail() -> None:
        with store.database.write() as tx:
            remove_source(tx, "notes", now=now)
            raise Interrupted

    store_text(store.database, "a", "one")
    with pytest.raises(Interrupted):
        fail()
    assert seen(store, OWNER, now) == [1]


def test_kinds_and_moments_narrow(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one", entry={"kind": EntryKind.MAIL, "event_time": now})
    store_text(store.database, "b", "two", entry={"kind": EntryKind.NOTE, "updated_at": now - timedelta(days=3)})
    store_text(store.database, "c", "three", entry={"kind": EntryKind.EVENT, "event_time": now + timedelta(days=3)})
    loaded = Store(store.database)

    def narrowed(**by: object) -> list[int]:
        visible = replace(OWNER, **by)
        assert seen(loaded, visible, now) == seen(store, visible, now)
        return seen(store, visible, now)

    assert narrowed(kinds=frozenset({EntryKind.MAIL, EntryKind.NOTE})) == [1, 2]
    assert narrowed(kinds=frozenset()) == []
    assert narrowed(since=now) == [1, 3]
    assert narrowed(until=now) == [2]
    assert narrowed(since=now - timedelta(days=3), until=now + timedelta(microseconds=1)) == [1, 2]
    assert narrowed(kinds=frozenset({EntryKind.EVENT}), until=now) == []


def test_a_filter_that_nobody_uses_again_is_not_kept_for_ever(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one")
    for hours in range(200):
        assert seen(store, replace(OWNER, until=now + timedelta(hours=hours)), now) == [1]
    assert len(store.visibility._views) <= 32


def test_a_view_counts_what_is_visible_alone(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one two three", scope="work")
    store_text(store.database, "b", "one two three four five", scope="work")
    store_text(store.database, "c", "hidden " * 100, scope="secret")
    view = store.visibility.view(limited_to("work"), now)
    assert (view.count, view.mean_length) == (2, 4.0)
    assert store.visibility.view(limited_to("none"), now).mean_length == 1.0


def test_a_view_is_kept_until_something_changes(store: Store, now: datetime) -> None:
    store_text(store.database, "a", "one")
    first = store.visibility.view(OWNER, now)
    assert store.visibility.view(OWNER, now + timedelta(days=1)) is first
    store_text(store.database, "b", "two")
    assert store.visibility.view(OWNER, now) is not first


def test_columns_say_what_the_entry_says(store: Store, now: datetime) -> None:
    entry_id = store_text(store.database, "a", "one two", language="zh-Hant")
    for columns in (store.visibility, Store(store.database).visibility):
        ids = np.array([1])
        assert columns.lengths(ids).tolist() == [2]
        assert columns.entries(ids).tolist() == [entry_id]
        assert columns.languages(ids).tolist() == [2]


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "write", "delete", "remove"]),
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(["work", "family"]),
        st.integers(1, 3),
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ACTIONS)
def test_columns_that_followed_equal_columns_that_were_loaded(
    basedir: Path, now: datetime, actions: list[tuple[str, str, str, int]]
) -> None:
    path = basedir / "followed.db"
    path.unlink(missing_ok=True)
    store = Store(new_database(path, now=now))
    with store.database.write() as tx:
        add_source(tx, source_info())
    for number, (action, name, scope, count) in enumerate(actions):
        if action == "write":
            store_text(store.database, name, *[f"{number} {place}" for place in range(count)], scope=scope)
            continue
        with store.database.write() as tx:
            if action == "delete":
                invalidate_missing(tx, "notes", [name], now=now)
            else:
                remove_source(tx, "notes", now=now)
                add_source(tx, source_info())
    loaded = visibility.Visibility()
    with store.database.reader() as reader:
        loaded.load(reader)
    for visible in (OWNER, OWNER_WITH_STALE, limited_to("work")):
        assert seen(store, visible, now) == np.flatnonzero(loaded.mask(visible, now)).tolist()
    store.close()
