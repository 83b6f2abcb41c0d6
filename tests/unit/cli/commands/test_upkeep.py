import pytest

from app.cli.wiring import Outcome, SelfCheck
from app.domain.checking import CheckReport, Finding
from app.domain.text import Text
from app.famulus import ownership
from app.famulus.ownership import Ending
from tests.unit.cli.conftest import status, warn


def test_status(shell, api):
    api.answers["status"] = status(model_problem=Text("It is absent."), warnings=(warn("x"),))
    shell("status")
    for part in ("process 42", "It is absent.", "2 entries", "famulus key recovery", "Careful: x"):
        assert part in shell.out
    told = shell.json("status")
    assert told["process_id"] == 42
    assert told["counts"] == {"sources": 1, "entries": 2, "chunks": 3, "waiting": 0, "understanding": 0}
    assert told["lock"] == "open"


def test_status_tells_of_bad_settings(shell, basedir):
    (basedir / "config").mkdir()
    (basedir / "config" / "famulus.toml").write_text("[store]\nreaders = 99\n")
    shell("status")
    assert "store.readers" in shell.err


def test_check(shell, api):
    assert "All is well" in shell("check")
    assert shell.json("check") == {
        "is_clean": True,
        "findings": [{"subject": "chunk", "count": 3, "problem": None, "was_repaired": False}],
    }
    api.answers["check"] = CheckReport((Finding("chunk", 3, Text("2 lack words")), Finding("vector", 1)))
    shell("check", expect=3)
    assert "chunk: 3  2 lack words" in shell.out
    assert "check --repair" in shell.err
    api.answers["check"] = CheckReport((Finding("chunk", 3, Text("2 lacked words"), was_repaired=True),))
    assert "(repaired)" in shell("check", "--repair")
    assert api.asked("check")[-1][1]["is_repairing"] is True


@pytest.mark.parametrize(("outcome", "code"), [(Outcome.OK, 0), (Outcome.ABSENT, 0), (Outcome.FAILED, 1)])
def test_selftest(shell, wiring, outcome, code):
    wiring.checks = [SelfCheck(Text("keys"), Outcome.OK), SelfCheck(Text("tray"), outcome, Text("no tray"))]
    assert "no tray" in shell("selftest", expect=code)
    lines = shell("selftest", "--json", expect=code).splitlines()
    assert len(lines) == 2


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        (Ending.WAS_NOT_RUNNING, "Famulus was not running."),
        (Ending.ENDED, "Famulus has ended."),
        (Ending.RUNS_AGAIN, "has started it again."),
    ],
)
def test_quit(shell, monkeypatch, ending, told):
    async def quit_owner(paths):
        return ending

    monkeypatch.setattr(ownership, "quit_owner", quit_owner)
    was_running, runs_again = ending is not Ending.WAS_NOT_RUNNING, ending is Ending.RUNS_AGAIN
    assert shell.json("quit") == {"was_running": was_running, "runs_again": runs_again}
    shell("quit")
    assert told in shell.err


def test_serve(shell, wiring, basedir):
    shell("serve")
    assert wiring.calls == [("serve", basedir, None)]
