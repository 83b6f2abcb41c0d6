"""A picture's whole way: decoded, read, found by its words, its original kept encrypted, all gone with it (L6.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest

from app.domain.collecting import SourceDraft
from app.domain.context_item import SearchRequest
from app.inference.ocr import is_installed
from tests.unit.sources.parsing.test_recording import tone

if TYPE_CHECKING:
    from pathlib import Path

    from app.famulus.api import FamulusApi

pytestmark = pytest.mark.skipif(not is_installed(), reason="what reads pictures is not installed")
PICTURE = "Screenshot_2024-05-01-12-30-45.png"


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    folder.mkdir()
    image = PIL.Image.new("RGB", (700, 120), "white")
    letters = PIL.ImageFont.load_default(36)
    PIL.ImageDraw.Draw(image).text((20, 30), "The zebrafish swims on Friday", font=letters, fill="black")
    image.save(folder / PICTURE)
    (folder / "voice 2024-05-02 08.00.00.wav").write_bytes(tone(2))
    return folder


def plain(album: Path) -> list[bytes]:
    return [path.read_bytes() for path in album.iterdir()]


def kept(basedir: Path) -> list[bytes]:
    folder = basedir / "data" / "blobs"
    return [path.read_bytes() for path in folder.iterdir()] if folder.exists() else []


async def test_the_whole_way_of_a_picture(api: FamulusApi, album: Path, basedir: Path) -> None:
    source = await api.add_source(SourceDraft("files", str(album)))
    (report,) = await api.sync(source.source_id)
    assert report.added == 2 or report.unchanged == 2  # a watched folder is collected by itself
    (item,) = await api.search(SearchRequest("zebrafish"))
    assert item.source_type == "picture"
    assert "swims on Friday" in item.content
    originals = plain(album)
    assert len(kept(basedir)) == 2
    assert all(original[:200] not in data for original in originals for data in kept(basedir))
    report = await api.check()
    assert [finding for finding in report.findings if finding.problem is not None] == []

    await api.remove_source(source.source_id)
    assert kept(basedir) == []
    assert not await api.search(SearchRequest("zebrafish", include_stale=True))
    report = await api.check()
    assert [finding for finding in report.findings if finding.problem is not None] == []


async def test_pictures_may_be_left_alone(api: FamulusApi, album: Path, basedir: Path) -> None:
    await api.change_setting("files.read_pictures", "false")
    await api.change_setting("files.max_original_mib", "0")
    reports = await api.import_paths([str(album)])
    assert [(report.added, report.refusal) for report in reports] == [(1, None)]
    (named,) = await api.import_paths([str(album / PICTURE)])
    assert "settings" in str(named.refusal)
    assert kept(basedir) == []
