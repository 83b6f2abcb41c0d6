"""What the command line needs that is no matter of the facade: it is handed in by who puts the program together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from app.domain.text import Text
    from app.runtime.paths import Paths


class Outcome(StrEnum):
    """How one part of the self-test went."""

    OK = "ok"
    ABSENT = "absent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """One part of the self-test; `absent` is what this machine does not have, and `detail` says what that means."""

    subject: Text
    outcome: Outcome
    detail: Text | None = None


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """A batch task over labelled rows, through the product's own code.

    Attributes:
        task: one of `app.bootstrap.batches`.
        rows: one object a row, in order; a row that could not be read has an `error` and is handed on as it is.
        corpus, corpora: one file for all rows, or a folder where a row's `corpus` names the file; one of the two.
        mode: words, vectors or full.
        routes: a table of intents instead of the person's.
        labels: of the spans to give; empty for all.
    """

    task: str
    rows: Iterable[Mapping[str, Any]]
    corpus: Path | None = None
    corpora: Path | None = None
    mode: str = "full"
    routes: Path | None = None
    labels: frozenset[str] = frozenset()


class Wiring(Protocol):
    """The parts of the program beside the facade. Each loads what it needs when it is called."""

    def desktop(self, paths: Paths, *, is_toggling: bool) -> int:
        """Run the desktop app, or show the running one; returns the exit code."""

    def serve(self, paths: Paths, *, idle_exit_s: float | None) -> int:
        """Own the data without a window until asked to quit, or idle for `idle_exit_s`; returns the exit code.

        Raises `Expected` when it cannot begin; returns 0 at once when another process owns the data.
        """

    def batch(self, paths: Paths, request: BatchRequest) -> Iterator[Mapping[str, Any]]:
        """One result a row, in order: `{id, ...}` or `{id, error}`."""

    def selftest(self, paths: Paths) -> Iterator[SelfCheck]:
        """Try the parts of this installation."""

    def mcp(self, paths: Paths, *, client: str | None, http_port: int | None) -> int:
        """Serve programs over the Model Context Protocol: on stdio, or on a port of this computer.

        Raises `Expected` when it cannot begin; returns the exit code when the other end is done, or on a signal.
        """
