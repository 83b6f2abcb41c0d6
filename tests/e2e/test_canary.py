"""Nothing in the clear, anywhere, ever (D3.1, DESIGN 4)."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

# real processes on a machine that may be busy
pytestmark = pytest.mark.timeout(400)

CANARIES = ("zebrafish-quartz-7731", "蓝鲸琥珀七七三一号", "zebrafish@quartz7731.example")


def _files(*roots: Path):
    for root in roots:
        for folder, _, names in os.walk(root):
            for name in names:
                path = Path(folder, name)
                if path.is_file() and not path.is_symlink():
                    yield path


def _leaks(*roots: Path) -> list[str]:
    needles = [form for text in CANARIES for form in _forms(text)]
    found = []
    for path in _files(*roots):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        found += [f"{path}: {needle!r}" for needle in needles if needle in data]
    return found


def _forms(text: str):
    yield text.encode()
    yield text.encode("utf-16-le")
    if not text.isascii():
        yield text.encode("gb18030")


def test_the_search_finds_a_leak(tmp_path):
    (tmp_path / "leak").write_bytes(b"..." + CANARIES[1].encode())
    assert _leaks(tmp_path)


def test_no_file_holds_what_was_imported(cli, tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    cli.environment |= {"TMPDIR": str(scratch), "HOME": str(scratch), "XDG_RUNTIME_DIR": str(scratch)}
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    notes = tmp_path / "notes"
    notes.mkdir()
    for index, text in enumerate(CANARIES):
        (notes / f"{CANARIES[0]}-{index}.md").write_text(f"# About {text}\n\nIt is {text}. {text}!\n" * 20, "utf-8")
        (notes / f"gbk-{index}.txt").write_bytes(f"秘密 {text}\n".encode("gb18030"))
    (notes / "broken.pdf").write_bytes(b"%PDF-1.4 " + CANARIES[0].encode())

    cli.json("add", "files", str(notes))
    cli.run("sync")
    cli.run("ask", CANARIES[0])
    cli.run("search", CANARIES[1])
    cli.run("search", "/etc/" + CANARIES[0] + "/none", expect=None)
    cli.run("import", str(notes / (CANARIES[0] + "-missing.md")), expect=3)
    looked_at = (cli.basedir, scratch)
    assert list(_files(cli.basedir)), "nothing was written at all?"
    assert _leaks(*looked_at) == []

    cli.kill(cli.owner_pid())
    assert _leaks(*looked_at) == []

    assert cli.json("search", CANARIES[1])[0]["content"]
    cli.run("quit")
    assert _leaks(*looked_at) == []
    # no library keeps a diary of its own in the person's home either
    assert list(_files(scratch)) == []
