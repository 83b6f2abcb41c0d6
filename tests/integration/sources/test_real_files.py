"""The external sets of real and hostile files, read as Famulus reads them: in a process of its own, with limits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Unreadable
from app.runtime.parse_process import ParseProcess
from app.sources.parsing.answer import Answer, Job
from app.sources.parsing.facts import understood
from app.sources.parsing.limits import ParseLimits
from tests.shared_data import shared_data
from tests.unit.sources.makers import SHANGHAI, WINDOW

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.data

SETS = {
    "06-files-browser": 0.0,
    "06-files-chat": 0.0,
    "06-files-docs": 0.2,
    "06-files-encodings": 0.0,
    "06-files-ics": 0.05,
    "06-files-mail": 0.1,
    "06-files-tasks": 0.0,
    "06-files-vault": 0.0,
    "06-files-vcard": 0.0,
    "07-fuzz-blns": 0.0,
    "07-fuzz-jsontestsuite": 0.0,
    "07-fuzz-office-poi": 1.0,
}
MEMORY_BYTES = 1500 << 20
TIMEOUT_S = 20
ABOUT_THE_SETS = {"SOURCE.txt", "LICENSE", "LICENSE.txt", "LICENSE.md", "NOTICE", "NOTICE.txt", "MIT-LICENSE"}


@pytest.fixture(scope="module")
def process() -> Iterator[ParseProcess]:
    process = ParseProcess("app.sources.parsing.worker:handle", timeout_s=TIMEOUT_S, memory_bytes=MEMORY_BYTES)
    yield process
    process.close()


def read(process: ParseProcess, path: Path) -> Answer | str:
    """The answer, or what became of the process."""
    try:
        return Answer.from_dict(process.run_here(Job(path, ParseLimits(), SHANGHAI, WINDOW).to_dict()))
    except Unreadable as lost:
        return str(lost)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", sorted(SETS))
def test_no_crash_no_hang_and_few_refusals(process, name):
    root = shared_data(name)
    paths = [path for path in sorted(root.rglob("*")) if path.is_file() and path.name not in ABOUT_THE_SETS]
    answers = {path: read(process, path) for path in paths}
    lost = {str(path): answer for path, answer in answers.items() if isinstance(answer, str)}
    assert lost == {}
    broken = {str(path): answer.fault for path, answer in answers.items() if answer.fault is not None}
    assert broken == {}
    refused = [path for path, answer in answers.items() if answer.refusal is not None]
    assert len(refused) <= SETS[name] * len(paths)
    for answer in answers.values():
        assert answer.refusal is None or all(str(text) for text in answer.refusal)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_is_understood_agrees_with_other_programs(process):
    """The one known difference: Python has no codec for EUC-TW."""
    rows = [
        json.loads(line) for line in shared_data("normalized", "files", "oracle.jsonl").read_text("utf-8").splitlines()
    ]
    differing = []
    for row in rows:
        path = shared_data(*row["path"].split("/"))
        answer = read(process, path)
        if isinstance(answer, str) or answer.parsed is None:
            continue
        facts = understood(answer.parsed)
        differing += [
            (row["path"], key) for key in set(row) & set(facts) - {"path", "oracle"} if row[key] != facts[key]
        ]
    assert {path for path, _ in differing} <= {"06-files-encodings/chardet/EUC-TW/_ude_euc-tw1.txt"}
