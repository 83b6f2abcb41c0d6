"""`famulus egress` (X7.1)."""

from __future__ import annotations

from app.domain.outgoing import Egress, EgressLine
from tests.unit.cli.conftest import MOMENT


def test_what_left_is_shown(shell, api):
    api.answers["egress"] = [EgressLine(MOMENT, Egress("dav.example.org:443", "collect:caldav", 2, 310, {"phone": 1}))]
    assert "dav.example.org:443  collect:caldav  310 bytes" in shell("egress", "-n", "5")
    assert api.asked("egress") == [((), {"limit": 5})]
    assert shell.json("egress") == [
        {
            "at": "2025-05-12T09:30:00+08:00",
            "recipient": "dav.example.org:443",
            "purpose": "collect:caldav",
            "data_level": 2,
            "size_bytes": 310,
            "replaced": {"phone": 1},
        }
    ]


def test_nothing_left(shell, api):
    api.answers["egress"] = []
    assert "Nothing has left this device." in shell("egress")
