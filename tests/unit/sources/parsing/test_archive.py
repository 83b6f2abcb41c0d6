"""Archives are listed: names in their own encodings, sizes and dates; nothing is unpacked (G1.1)."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from app.domain.errors import Unreadable
from app.sources.parsing import archive
from app.sources.parsing.dispatch import parse_content
from tests.unit.sources.makers import about
from tests.unit.sources.parsing.office_files import zipped


def read(data: bytes, name: str, **changes):
    return parse_content(data, about(name, **changes))


def lines(parsed) -> list[str]:
    return [line for block in parsed.entries[0].blocks for line in block.text.split("\n")]


def zip_of(names: list[bytes]) -> bytes:
    """Names as bytes without the mark for UTF-8, as old programs wrote them."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for number, raw in enumerate(names):
            packed.writestr(zipfile.ZipInfo(chr(65 + number) * len(raw), (2025, 5, 14, 0, 0, 0)), b"x" * 2048)
    data = file.getvalue()
    for number, raw in enumerate(names):
        data = data.replace(chr(65 + number).encode() * len(raw), raw)
    return data


def tar_of(*names: str, encoding: str = "utf-8") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT, encoding=encoding) as packed:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = 3, 1_747_180_800
            packed.addfile(info, io.BytesIO(b"abc"))
    return file.getvalue()


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("gbk", ["照片/合同扫描件.pdf", "会议纪要.docx"]),
        ("utf-8", ["会议纪要.docx", "Größe.txt"]),
        ("cp437", ["Größe.txt", "résumé.doc"]),
        ("gbk", ["新建.txt"]),
    ],
)
def test_names_in_a_zip_file_are_read_as_they_were_meant(encoding, names):
    parsed = read(zip_of([name.encode(encoding) for name in names]), "备份.zip")
    assert parsed.entries[0].title == "备份.zip"
    assert lines(parsed) == [f"- {name} (2 KiB, 2025-05-14)" for name in names]
    assert parsed.facts["members"] == len(names)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_file_in_any_wrapping(pack):
    assert lines(read(pack(tar_of("a/b.txt", "报告.md")), "x.tar.gz")) == [
        "- a/b.txt (3 B, 2025-05-14)",
        "- 报告.md (3 B, 2025-05-14)",
    ]


def test_names_in_a_tar_file_in_gbk():
    assert lines(read(tar_of("合同扫描件.pdf", encoding="gbk"), "x.tar"))[0].startswith("- 合同扫描件.pdf")


def test_a_packed_single_file_is_one_member():
    assert lines(read(gzip.compress(b"text"), "notes.txt.gz")) == ["- notes.txt"]


@pytest.mark.parametrize("start", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x01\x00", b"\x28\xb5\x2f\xfd"])
def test_of_an_archive_that_is_not_listed_the_name_is_known(start):
    parsed = read(start + bytes(40), "照片 2025.7z")
    assert parsed.entries[0].title == "照片 2025.7z"
    assert "only its name" in str(parsed.warnings[0])
    assert "members" not in parsed.facts


def test_what_is_in_it_is_not_read():
    inner = zipped({"secret.txt": "SECRET WORDS"})
    parsed = read(zipped({"note.txt": "SECRET WORDS", "inner.zip": inner}), "x.zip")
    text = "\n".join(lines(parsed))
    assert "note.txt" in text
    assert "inner.zip" in text
    assert "secret" not in text.lower()


def test_an_archive_that_unpacks_without_end_is_read_to_a_limit():
    data = gzip.compress(tar_of(*(f"f{n}" for n in range(200))))
    parsed = read(data, "x.tgz", limits={"unpacked_bytes": 30_000})
    assert 0 < parsed.facts["members"] < 200
    assert "too long" in str(parsed.warnings[0])


def test_a_damaged_one_is_refused_or_listed_as_far_as_it_goes():
    data = gzip.compress(tar_of(*(f"f{n}" for n in range(200))))
    assert "damaged" in str(read(data[: len(data) // 2], "x.tgz").warnings[0])
    with pytest.raises(Unreadable, match="ZIP"):
        read(zipped({"a": "b"})[:-10], "x.zip")
    assert lines(read(zipped({}), "x.zip")) == []


def test_a_name_cannot_make_lines_of_its_own():
    assert len(lines(read(zipped({"a\nb\u202e.txt": "x"}), "x.zip"))) == 1


@pytest.mark.parametrize(("names", "is_cut"), [(["a/", "a/1", "a/2"], False), (["a/", "a/1", "a/2", "a/3"], True)])
def test_a_zip_file_with_more_names_than_are_read_says_so(monkeypatch, names, is_cut):
    monkeypatch.setattr(archive, "_MAX_MEMBERS", 3)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name in names:
            made.writestr(name, b"")
    parsed = read(file.getvalue(), "备份.zip")
    assert len(lines(parsed)) == 2
    assert bool(parsed.warnings) is is_cut
