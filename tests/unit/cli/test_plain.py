from datetime import UTC, datetime

from app.cli.plain import plain
from app.domain.collecting import SyncState
from app.domain.context_item import Viewer
from app.domain.labels import Sensitivity, Trust
from app.domain.text import msg


def test_values_become_what_other_programs_read():
    assert plain([Sensitivity.HIGHLY_SENSITIVE, Trust.OWN_FILES, SyncState.IDLE]) == [
        "highly_sensitive",
        "own_files",
        "idle",
    ]
    assert plain(datetime(2025, 5, 12, 1, 2, 3, 4, tzinfo=UTC)) == "2025-05-12T01:02:03+00:00"
    assert plain({"a": msg("{n} files", n=2), 1: None}) == {"a": "2 files", "1": None}
    assert plain(Viewer(scopes=frozenset({"work"}))) == {
        "name": "owner",
        "scopes": ["work"],
        "acls": None,
        "ceiling": 3,
    }
