"""The first words of the program: when it answers before it is loaded."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app import __main__ as program

ROOT = Path(__file__).resolve().parents[2]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("words", "is_early"),
    [
        (["mcp"], True),
        (["mcp", "--client", "mate"], True),
        (["--basedir", "x", "mcp"], True),
        (["--lang", "zh_CN", "--basedir", "mcp", "mcp"], True),
        (["mcp", "--http", "8000"], False),
        (["mcp", "--http=8000"], False),
        (["mcp", "--help"], False),
        (["--basedir", "mcp"], False),
        (["search", "mcp"], False),
        (["--json", "mcp"], False),
        ([], False),
    ],
)
def test_only_the_plain_command_for_programs_is_answered_early(words, is_early, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert program._is_for_a_program(words) is is_early
    for nobody in (Terminal(), None):
        monkeypatch.setattr(sys, "stdin", nobody)
        assert not program._is_for_a_program(words)


def test_the_early_answer_loads_neither_the_command_line_nor_the_library():
    script = (
        "import sys; from app.mcp_server.opening import begin; opening = begin(); opening.streams.close()\n"
        "loaded = {name for name in ('click', 'asyncio', 'mcp', 'pydantic') if name in sys.modules}\n"
        "sys.exit(str(loaded) if loaded or opening.early is None else 0)"
    )
    who = '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}'
    line = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":' + who + "}\n"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        input=line,
        text=True,
        capture_output=True,
        cwd=ROOT,
        env=dict(os.environ),
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert '"id":1' in ran.stdout
