"""What was said in a meeting, from its subtitles to the answer: cited by the minute (G1.1, G2.3, G4.1)."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.domain.context_item import SearchRequest

if TYPE_CHECKING:
    from app.famulus.api import FamulusApi

ROOT = Path(__file__).resolve().parents[3]

SUBTITLES = """1
00:00:01,000 --> 00:00:04,200
Ann: Shall we begin?

2
00:12:34,500 --> 00:12:39,000
李雷：油漆供应商改为青松公司。

3
00:12:41,000 --> 00:12:44,000
The harbour invoice goes to Carla.
"""


@pytest.mark.parametrize(("question", "second"), [("油漆供应商", 754), ("harbour invoice", 754)])
async def test_subtitles_are_cited_by_the_second(api: FamulusApi, tmp_path: Path, question: str, second: int) -> None:
    path = tmp_path / "周会 2025-03-12.srt"
    path.write_text(SUBTITLES, encoding="utf-8")
    (report,) = await api.import_paths([str(path)])
    assert (report.added, report.warnings) == (1, ())
    first, *_ = await api.search(SearchRequest(question))
    assert first.place.second == second
    answer = await api.ask(question)
    assert answer.items[0].place.second == second
    assert [finding for finding in (await api.check()).findings if finding.problem is not None] == []


@pytest.mark.parametrize(("language", "expected"), [("en", "at 12:34"), ("zh_CN", "12:34")])
async def test_the_command_line_shows_the_time(
    api: FamulusApi, basedir: Path, tmp_path: Path, language: str, expected: str
) -> None:
    path = tmp_path / "talk.vtt"
    path.write_text("WEBVTT\n\n" + SUBTITLES.replace(",", "."), encoding="utf-8")
    await api.import_paths([str(path)])
    command = (sys.executable, "-m", "app", "--basedir", str(basedir), "--lang", language, "search", "harbour invoice")
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate()
    assert process.returncode == 0
    assert expected in out.decode().splitlines()[0]
