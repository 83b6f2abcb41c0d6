"""Makers for the tests of sources: contexts, an honest parse function, and sample files of every format."""

from __future__ import annotations

import io
import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import docx

from app.domain.collecting import SourceInfo, SyncState
from app.domain.errors import Cancelled
from app.domain.labels import Sensitivity, Trust
from app.domain.text import msg
from app.sources.contract import CursorMoved, CursorRows, SourceContext
from app.sources.deletion_guard import DeletionLimits
from app.sources.parsing import worker
from app.sources.parsing.limits import ParseLimits
from app.sources.parsing.parsed import About
from app.sources.parsing.wire import parsed_from_dict, parsed_to_dict
from app.sources.parsing.worker import handle

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

    from app.sources.parsing.answer import Job
    from app.sources.parsing.parsed import Parsed

SHANGHAI = ZoneInfo("Asia/Shanghai")
WINDOW = (datetime(2020, 1, 1, tzinfo=SHANGHAI), datetime(2028, 1, 1, tzinfo=SHANGHAI))
RESTED = datetime(2024, 6, 1, 12, 0, tzinfo=UTC).timestamp()


def about(name: str = "note.txt", **changes: Any) -> About:
    limits = ParseLimits(**changes.pop("limits", {}))
    return About(**({"name": name, "zone": SHANGHAI, "window": WINDOW, "limits": limits} | changes))


class HonestParse:
    """The worker in this process, with everything sent through JSON as it is sent between processes."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.parsed: list[str] = []

    def __call__(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        answer = json.loads(json.dumps(handle(json.loads(json.dumps(job)))))
        self.names.append(Path(job["path"]).name)
        if answer["parsed"] is not None:
            self.parsed.append(Path(job["path"]).name)
        return answer


FIRST_OF_MANY = 3_300_000
"""Of many files the number of the first: digits that stand in them nowhere else, and are equally many in all."""
_NUMBER_OF_ONE = re.compile(rb"33\d{5}")


def parse_one_of_alike(patch: pytest.MonkeyPatch) -> None:
    """Of thousands of files that differ in their number alone, parse one: the others say the same of their numbers.

    What is read of each as before is its state and its hash.
    """
    known: dict[tuple[str, bytes], tuple[str, str]] = {}
    honest = worker._parsed

    def parsed(data: bytes, job: Job) -> Parsed:
        number = _NUMBER_OF_ONE.search(data)
        if number is None:
            return honest(data, job)
        like = job.path.suffix, data.replace(number[0], b"")
        if like not in known:
            known[like] = number[0].decode(), json.dumps(parsed_to_dict(honest(data, job)))
        first, answer = known[like]
        return parsed_from_dict(json.loads(answer.replace(first, number[0].decode())))

    patch.setattr(worker, "_parsed", parsed)


class Never:
    """A stop signal that lets everything go on."""

    def checkpoint(self) -> None:
        pass


class After:
    """A stop signal that stops at the checkpoint after `count` ones."""

    def __init__(self, count: int) -> None:
        self.left = count

    def checkpoint(self) -> None:
        if self.left == 0:
            raise Cancelled(msg("Stopped."), next_step=msg("Go on."))
        self.left -= 1


def source_info(location: Path, kind: str = "files", **changes: Any) -> SourceInfo:
    values = {
        "source_id": "notes",
        "kind": kind,
        "location": str(location),
        "name": "Notes",
        "scope": "personal",
        "acl": "owner",
        "sensitivity": Sensitivity.INTERNAL,
        "trust": Trust.OWN_FILES,
        "state": SyncState.IDLE,
        "created_at": datetime(2025, 1, 1, tzinfo=UTC),
    }
    return SourceInfo(**(values | changes))


def context(location: Path, kind: str = "files", **changes: Any) -> SourceContext:
    values = {
        "source": source_info(location, kind),
        "parse": HonestParse(),
        "limits": ParseLimits(),
        "deletions": DeletionLimits(),
        "zone": SHANGHAI,
    }
    return SourceContext(**(values | changes))


def write(path: Path, content: str | bytes, *, at: float = RESTED) -> Path:
    """Write a file that has rested since long ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    os.utime(path, (at, at))
    return path


def drain(source: Any, rows: CursorRows, stop: Any = None, into: list[Any] | None = None) -> list[Any]:
    """All changes of one sync, with the cursor moved as a consumer moves it; `into` has them after an error too."""
    changes = into if into is not None else []
    for change in source.changes(rows, stop or Never()):
        changes.append(change)
        if isinstance(change, CursorMoved):
            rows.move(change)
    return changes


def event(uid: str, summary: str = "Meeting", start: str = "20250514T070000Z", *lines: str) -> str:
    head = ("BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20250101T000000Z", f"DTSTART:{start}", f"SUMMARY:{summary}")
    return "\r\n".join([*head, *lines, "END:VEVENT", ""])


def calendar(*components: str, head: str = "") -> str:
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//\r\n{head}{''.join(components)}END:VCALENDAR\r\n"


def docx_bytes() -> bytes:
    document = docx.Document()
    document.core_properties.title = "Quarterly plan"
    document.core_properties.author = "Li Na"
    document.core_properties.created = datetime(2025, 3, 1, 8, 0)  # noqa: DTZ001 - the library wants it so
    document.add_heading("Goals", 1)
    document.add_paragraph("We launch project A in June.")
    document.add_heading("第二季度", 2)
    document.add_paragraph("first", style="List Bullet")
    document.add_paragraph("second", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        [c for row in table.rows for c in row.cells], ["Name", "Owner", "Report", "张伟"], strict=True
    ):
        cell.text = text
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def pdf_bytes(*pages: str, info: str = "", encrypt: str = "") -> bytes:
    """A minimal PDF with one line of text a page."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    if info:
        objects.append(f"<< {info} >>")
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"/Size {len(objects) + 1} /Root 1 0 R" + (f" /Info {len(objects)} 0 R" if info else "") + encrypt
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< {trailer} >>\n".encode("latin-1")
    return out + f"startxref\n{start}\n%%EOF\n".encode("latin-1")


MAIL = (
    "From: =?GB2312?B?1cXOsA==?= <zw@example.cn>\r\nTo: Li Na <ln@example.com>, bob@example.com\r\n"
    "Subject: =?utf-8?B?5Lya6K6u6YCa55+l?=\r\nDate: Wed, 14 May 2025 10:00:00 +0800\r\n"
    "Message-ID: <m1@example.cn>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=gb2312\r\n"
    "Content-Transfer-Encoding: 8bit\r\n\r\n请周三之前交测试报告。\r\n\r\n"
    "On Tue, 13 May 2025, Li Na wrote:\r\n> 什么时候交？\r\n> 谢谢\r\n"
).encode("gbk")

SAMPLES: dict[str, bytes] = {
    "note.md": b"---\ntitle: T\ndate: 2025-05-01\n---\n# Head\n\ntext [[x|y]]\n\n"
    b"| a | b |\n|---|---|\n| 1 | 2 |\n\n- i\n  - j\n",
    "plain.txt": "今天下午三点开会\n\nsecond".encode("gbk"),
    "wide.txt": "\ufeffwide 文本\n".encode("utf-16-le"),
    "page.html": b"<html><head><title>P</title></head><body><h1>H</h1><p>x<table><tr><td>1<td>2<tr><td>3<td>4</table>",
    "mail.eml": MAIL,
    "paper.pdf": pdf_bytes(
        "Hello page one", "Second page", info="/Title (Paper) /CreationDate (D:20250102030405+08'00')"
    ),
    "plan.docx": docx_bytes(),
    "cal.ics": calendar(
        event("u1", "Standup", "20250512T010000Z", "RRULE:FREQ=DAILY;COUNT=5", "DURATION:PT15M"), event("u2")
    ).encode(),
    "people.vcf": (
        b"BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E7=8E=8B;=E8=8A=B3=\r\n;;;\r\n"
        b"TEL;CELL:138\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nitem1.EMAIL:a@b.example\r\nEND:VCARD\r\n"
    ),
    "table.csv": "name,owner\nreport,张伟\n".encode(),
}
