"""Documents open, everything else is shown in its folder, and nothing is executed (X9.1)."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.domain.errors import Refused, Unavailable
from app.runtime.lanes import Lane
from app.ui import opening


def uri(path):
    return QUrl.fromLocalFile(str(path)).toString()


@pytest.mark.parametrize("name", ["notes.md", "Bericht.PDF", "周会 纪要.docx", "a#b?.txt", "cal.ics", "mail.eml"])
def test_documents_are_opened(tmp_path, name):
    path = tmp_path / name
    path.touch()
    assert opening.plan(QUrl.fromLocalFile(str(path)).toString(QUrl.ComponentFormattingOption.FullyEncoded)) == (
        opening.Opening(path, is_document=True)
    )


@pytest.mark.parametrize(
    "name", ["run.sh", "setup.exe", "x.desktop", "a.py", "link.url", "tool.AppImage", "macro.docm", "noname", "a.lnk"]
)
def test_programs_are_only_shown(tmp_path, name):
    path = tmp_path / name
    path.touch(mode=0o755)
    assert opening.plan(uri(path)) == opening.Opening(tmp_path, is_document=False)


def test_a_link_is_what_it_points_to(tmp_path):
    script, link = tmp_path / "evil.sh", tmp_path / "report.pdf"
    script.touch()
    link.symlink_to(script)
    assert not opening.plan(uri(link)).is_document


def test_a_folder_is_shown(tmp_path):
    assert opening.plan(uri(tmp_path)) == opening.Opening(tmp_path, is_document=False)


def test_the_place_within_a_file_does_not_matter(tmp_path):
    path = tmp_path / "cal.ics"
    path.touch()
    assert opening.plan(uri(path) + "#uid-17").path == path


def test_where_a_file_was(tmp_path):
    assert opening.plan(uri(tmp_path / "gone.md")) == opening.Opening(tmp_path, is_document=False)
    with pytest.raises(Unavailable):
        opening.plan(uri(tmp_path / "gone" / "gone.md"))


@pytest.mark.parametrize(
    "address", ["https://example.org/a.pdf", "smb://host/a.pdf", "javascript:alert(1)", "notes.md", ""]
)
def test_what_is_no_file_here_is_refused(address):
    with pytest.raises(Refused):
        opening.plan(address)


async def open_with(monkeypatch, path, *, works):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or works)
    lane = Lane("blocking")
    try:
        await opening.open_source(uri(path), lane)
    finally:
        lane.close()
    return opened


async def test_the_desktop_is_asked(monkeypatch, tmp_path):
    path = tmp_path / "a.md"
    path.touch()
    assert await open_with(monkeypatch, path, works=True) == [str(path)]


async def test_a_desktop_that_cannot_says_so(monkeypatch, tmp_path):
    (tmp_path / "a.md").touch()
    with pytest.raises(Unavailable):
        await open_with(monkeypatch, tmp_path / "a.md", works=False)
