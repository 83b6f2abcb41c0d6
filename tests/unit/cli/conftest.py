"""The command line with a facade of paper: what it says and how it ends is under test."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from app.cli import passphrase, program
from app.cli.screen import Screen
from app.domain.checking import CheckReport, Finding
from app.domain.collecting import ImportReport, SourceInfo, SyncReport, SyncState
from app.domain.context_item import Answer, ContextItem
from app.domain.labels import EntryKind, Sensitivity, Trust
from app.domain.text import Text, msg
from app.famulus import ownership
from app.famulus.api import Counts, LockState, ModelInfo, ModelState, StatusReport
from app.famulus.client import RemoteFamulus
from app.runtime import translation

MOMENT = datetime(2025, 5, 12, 9, 30, tzinfo=timezone(timedelta(hours=8)))


def status(lock: LockState = LockState.OPEN, **changes: Any) -> StatusReport:
    values = {
        "version": "1",
        "lock": lock,
        "lock_problem": None,
        "lock_next_step": None,
        "has_recovery_key": False,
        "has_window": False,
        "model": ModelState.READY,
        "model_problem": None,
        "counts": Counts(1, 2, 3, 0),
        "process_id": 42,
    }
    return StatusReport(**(values | changes))


def source(source_id: str = "s1", **changes: Any) -> SourceInfo:
    values = {
        "source_id": source_id,
        "kind": "files",
        "location": "/notes",
        "name": "Notes",
        "scope": "personal",
        "acl": "owner",
        "sensitivity": Sensitivity.CONFIDENTIAL,
        "trust": Trust.OWN_FILES,
        "state": SyncState.IDLE,
        "created_at": MOMENT,
    }
    return SourceInfo(**(values | changes))


def item(**changes: Any) -> ContextItem:
    values = {
        "item_id": "c1",
        "title": "Launch",
        "content": "The test report is due.",
        "source_type": EntryKind.NOTE,
        "source_uri": "file:///notes/launch.md",
        "event_time": MOMENT,
        "ingested_at": MOMENT.astimezone(UTC),
        "valid_from": None,
        "valid_to": None,
        "task_status": None,
        "scope": "work",
        "acl": "owner",
        "sensitivity": Sensitivity.INTERNAL,
        "confidence": 0.9,
        "semantic_score": 0.8,
        "lexical_score": 0.7,
        "freshness_score": 0.6,
        "time_decay": 0.5,
        "final_score": 0.75,
        "stale_reason": None,
        "explanation": {"semantic": 0.44},
    }
    return ContextItem(**(values | changes))


class PaperFamulus:
    """Answers what a test lays down; remembers what it was asked. An answer that is an error is raised."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.answers: dict[str, Any] = {
            "status": status(),
            "create": "R-E-C",
            "unlock": None,
            "lock": None,
            "set_passphrase": None,
            "new_recovery_key": "ABCD-EFGH",
            "sources": [source()],
            "source_kinds": [],
            "add_source": source(),
            "change_source": source(),
            "remove_source": 7,
            "sync": [SyncReport("s1", 1, 2, 3, 4)],
            "import_paths": lambda paths, **_: [ImportReport(path, added=1) for path in paths],
            "wait_until_indexed": None,
            "ask": Answer(Text("It is due. [1]"), (item(),), route="extract"),
            "search": [item()],
            "agenda": [],
            "models": [ModelInfo("e5", "1", "embedding", ("en", "zh"), 1 << 27, "MIT", True, True)],
            "install_model": ModelInfo("e5", "1", "embedding", ("en", "zh"), 1 << 27, "MIT", True, True),
            "build_model": ModelInfo("own", "1", "encoder", (), 1 << 24, "MIT", True, True, fidelity=0.99),
            "remove_model": None,
            "check": CheckReport((Finding("chunk", 3),)),
            "change_setting": None,
        }

    def __getattr__(self, name: str) -> Any:
        async def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append((name, args, kwargs))
            answer = self.answers[name]
            if isinstance(answer, list) and answer and name == "status":
                answer = answer.pop(0) if len(answer) > 1 else answer[0]
            if callable(answer):
                answer = answer(*args, **kwargs)
            if isinstance(answer, BaseException):
                raise answer
            return answer

        return call

    def asked(self, name: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
        return [(args, kwargs) for called, args, kwargs in self.calls if called == name]


class PaperWiring:
    """Remembers how the other parts of the program were called."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.checks: list[Any] = []

    def desktop(self, paths, *, is_toggling):
        self.calls.append(("desktop", paths.basedir, is_toggling))
        return 0

    def serve(self, paths, *, idle_exit_s):
        self.calls.append(("serve", paths.basedir, idle_exit_s))
        return 0

    def batch(self, paths, request):
        self.calls.append(("batch", request.task, request.corpus, request.corpora, request.mode))
        return (row if "error" in row else {"id": row["id"], "ranked": ["b", "a"]} for row in request.rows)

    def selftest(self, paths):
        return iter(self.checks)

    def mcp(self, paths, *, client, http_port):
        self.calls.append(("mcp", client, http_port))
        return 0


class Shell:
    """Runs commands; `out` and `err` hold what the last one printed."""

    def __init__(self, api: PaperFamulus, wiring: PaperWiring, basedir: Any, monkeypatch: Any) -> None:
        self.api = api
        self.wiring = wiring
        self.basedir = basedir
        self.out = self.err = ""
        self.encoding = "utf-8"
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: str, expect: int = 0) -> str:
        out, err = (io.TextIOWrapper(io.BytesIO(), self.encoding, newline="") for _ in range(2))
        self._monkeypatch.setattr(program, "Screen", lambda: Screen(out, err))
        code = program.run(self.wiring, ["--basedir", str(self.basedir), *arguments])
        self.out, self.err = (self._text(stream) for stream in (out, err))
        assert code == expect, (code, self.out, self.err)
        return self.out

    def json(self, *arguments: str, expect: int = 0) -> Any:
        return json.loads(self("--json", *arguments, expect=expect))

    def _text(self, stream: io.TextIOWrapper) -> str:
        stream.flush()
        return stream.buffer.getvalue().decode(self.encoding)


@pytest.fixture
def api():
    return PaperFamulus()


@pytest.fixture
def wiring():
    return PaperWiring()


@pytest.fixture
def shell(api, wiring, basedir, monkeypatch):
    class Remote:
        is_same_version = True

        def __init__(self):
            self.api = api

        async def close(self):
            pass

    async def reach(paths):
        return Remote()

    async def connect(paths):
        return None

    monkeypatch.setattr(program.log, "start_quietly", lambda: None)  # it would silence pytest
    monkeypatch.setattr(ownership, "reach", reach)
    monkeypatch.setattr(RemoteFamulus, "connect", connect)
    monkeypatch.setattr(passphrase, "can_ask", lambda: False)
    monkeypatch.delenv("FAMULUS_PASSPHRASE", raising=False)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield Shell(api, wiring, basedir, monkeypatch)
    translation.use_language("en")


def warn(text: str) -> Text:
    return msg("Careful: {text}", text=text)
