"""Each format by a sample made here: what is in it comes out, with its place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.entries import PersonRef
from app.domain.errors import Unreadable
from app.domain.labels import BlockKind, EntryKind, Status
from app.sources.parsing import html
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.sniffing import Format, sniff
from tests.unit.sources.makers import SAMPLES, about, docx_bytes, pdf_bytes


def read(content: str | bytes, name: str, **changes):
    data = content.encode("utf-8") if isinstance(content, str) else content
    return parse_content(data, about(name, **changes))


def texts(parsed, kind: BlockKind | None = None) -> list[str]:
    return [block.text for block in parsed.entries[0].blocks if kind is None or block.kind is kind]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("note.md", Format.MARKDOWN),
        ("plain.txt", Format.TEXT),
        ("page.html", Format.HTML),
        ("mail.eml", Format.MAIL),
        ("paper.pdf", Format.PDF),
        ("plan.docx", Format.DOCX),
        ("cal.ics", Format.CALENDAR),
        ("table.csv", Format.DELIMITED),
    ],
)
def test_the_format_is_found_by_content_and_name(name, expected):
    assert sniff(SAMPLES[name], name, 1000).format is expected
    if expected in {Format.HTML, Format.MAIL, Format.PDF, Format.DOCX, Format.CALENDAR}:
        assert sniff(SAMPLES[name], "unnamed", 1000).format is expected
        assert sniff(SAMPLES[name], "wrong.txt", 1000).format is expected


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "Pictures"),
        (b"SQLite format 3\0" + bytes(40), "SQLite"),
        (b"\x7fELF" + bytes(40), "Programs"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le"), "old Excel"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"), "old Word"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "PowerPoint Document".encode("utf-16-le"), "old PowerPoint"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(40), "old Office"),
        (b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d" + bytes(40), "OneNote"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password"),
        (bytes(range(256)) * 4, "not text"),
    ],
)
def test_what_is_not_read_is_refused_by_its_name(data, word):
    with pytest.raises(Unreadable, match=word):
        read(data, "file")


def test_a_note_with_headings_lists_tables_and_code():
    parsed = read(
        "# Plan\n\nIntro with **bold** and [a link](https://example.org/x).\n\n"
        "## 第二节\n\n- one\n  - inner\n1. first\n\n"
        "| name | owner |\n|---|---|\n| report | 张伟 |\n\n```python\nprint(1)\n```\n\n> quoted\n",
        "note.md",
    )
    entry = parsed.entries[0]
    assert entry.kind is EntryKind.NOTE
    assert entry.title == "Plan"
    assert texts(parsed, BlockKind.TABLE) == ["name | owner\nreport | 张伟"]
    assert texts(parsed, BlockKind.CODE) == ["print(1)"]
    assert texts(parsed, BlockKind.QUOTE) == ["quoted"]
    assert texts(parsed, BlockKind.LIST)[0] == "- one\n  - inner"
    assert "Intro with bold and a link (https://example.org/x)." in texts(parsed)
    table = next(block for block in entry.blocks if block.kind is BlockKind.TABLE)
    assert table.place.heading_path == ("Plan", "第二节")
    assert (table.place.first_line, table.place.last_line) == (11, 13)


def test_front_matter():
    parsed = read(
        "---\ntitle: Lease\ncreated: 2025-05-01\nupdated: 2025-05-02 10:00\ntags: [home, 租房]\nstatus: done\n"
        "valid_until: 2026-01-01\nauthor: 王伟\n---\nText.\n",
        "x.md",
    )
    entry = parsed.entries[0]
    assert entry.title == "Lease"
    assert entry.created_at == datetime(2025, 5, 1, tzinfo=about().zone)
    assert entry.updated_at == datetime(2025, 5, 2, 10, tzinfo=about().zone)
    assert entry.valid_to == datetime(2026, 1, 1, tzinfo=about().zone)
    assert entry.status is Status.DONE
    assert entry.people == (PersonRef("王伟", "", "author"),)
    assert entry.metadata["tags"] == "home 租房"
    assert texts(parsed) == ["Text."]
    assert entry.blocks[0].place.first_line == 10


def test_broken_front_matter_is_a_warning():
    parsed = read("---\n[[[{{{\n---\nText.\n", "x.md")
    assert parsed.warnings
    assert texts(parsed) == ["Text."]


def test_wikilinks_show_their_label():
    assert texts(read("See [[Notes/Plan#Goals|the plan]], [[Other]] and ![[pic.png]].", "x.md")) == [
        "See the plan, Other and pic.png."
    ]


def test_plain_text_by_paragraphs_with_lines():
    parsed = read("第一段\r\n还是第一段\r\n\r\n\r\n- a\r\n- b\r\n".encode("gbk"), "备忘.txt")
    first, second = parsed.entries[0].blocks
    assert parsed.entries[0].title == "备忘"
    assert (first.text, first.place.first_line, first.place.last_line) == ("第一段\n还是第一段", 1, 2)
    assert (second.kind, second.place.first_line, second.place.last_line) == (BlockKind.LIST, 5, 6)


def test_a_table_as_text():
    parsed = read('name,note\n张伟,"a, b\nc"\n', "t.csv")
    assert texts(parsed) == ["name | note\n张伟 | a, b c"]
    assert parsed.entries[0].blocks[0].kind is BlockKind.TABLE


def test_a_page_shows_what_a_reader_sees():
    parsed = read(
        "<html lang=zh><head><title>标题 &amp; more</title><meta name=author content='Li Na'>"
        "<meta property='article:published_time' content='2025-05-01T08:00:00+08:00'><style>p{}</style></head><body>"
        "<nav>menu</nav><h1>Head</h1><p>one<br>two<script>alert(1)</script></p><p hidden>secret</p>"
        "<p style='display:none'>secret</p><ul><li>a<ul><li>b</ul></ul><table><tr><th>n<th>m<tr><td>1<td>2</table>"
        "<pre>x\n  y</pre><blockquote>old</blockquote></body></html>",
        "page.html",
    )
    entry = parsed.entries[0]
    assert entry.title == "标题 & more"
    assert entry.kind is EntryKind.DOCUMENT
    assert entry.metadata["origin"] == "html"
    assert entry.created_at == datetime(2025, 5, 1, tzinfo=UTC)
    assert entry.language == "zh"
    assert entry.people[0].name == "Li Na"
    assert texts(parsed) == ["Head", "one\ntwo", "- a\n  - b", "n | m\n1 | 2", "x\n  y", "old"]
    assert entry.blocks[3].kind is BlockKind.TABLE
    assert entry.blocks[5].kind is BlockKind.QUOTE
    assert entry.blocks[3].place.heading_path == ("Head",)


def test_the_main_part_of_a_page_is_enough_where_it_is_most_of_it():
    body = "<body><div>Jump to content</div><div role=navigation>menu</div><main><p>The long article itself.</p></main>"
    assert texts(read(f"<html>{body}<div>About</div>", "x.html")) == ["The long article itself."]
    other = "<body><main><p>x</p></main><div>Far more text stands beside the main part.</div><div role=search>?</div>"
    assert texts(read(f"<html>{other}", "x.html")) == ["x", "Far more text stands beside the main part."]


def test_a_page_in_the_encoding_that_it_names():
    html = '<html><head><meta charset="gb2312"><title>会议</title></head><body><p>请参加</p></body></html>'
    parsed = read(html.encode("gbk"), "page.htm")
    assert (parsed.entries[0].title, texts(parsed)) == ("会议", ["请参加"])


@pytest.mark.timeout(20)
def test_a_page_nested_without_end_is_read_as_text():
    assert texts(read("<html>" + "<div>" * 100_000 + "deep" + "</div>" * 10, "x.html")) == ["deep"]


def test_a_paper_by_pages():
    parsed = read(SAMPLES["paper.pdf"], "paper.pdf")
    entry = parsed.entries[0]
    assert entry.title == "Paper"
    assert entry.created_at == datetime(2025, 1, 1, 19, 4, 5, tzinfo=UTC)
    assert [(block.text, block.place.page) for block in entry.blocks] == [("Hello page one", 1), ("Second page", 2)]


def test_a_scan_is_taken_in_with_a_warning():
    parsed = read(pdf_bytes(""), "scan.pdf")
    assert parsed.entries[0].title == "scan"
    assert "no text layer" in str(parsed.warnings[0])


def test_pages_beyond_the_limit_are_left_out():
    parsed = read(pdf_bytes("a", "b", "c"), "x.pdf", limits={"pages": 2})
    assert texts(parsed) == ["a", "b"]
    assert any("2 pages" in str(warning) for warning in parsed.warnings)


def test_a_paper_that_is_none_or_locked_is_refused():
    with pytest.raises(Unreadable):
        read(b"%PDF-1.7\nnot really", "x.pdf")
    locked = pdf_bytes(
        "x",
        encrypt=" /Encrypt << /Filter /Standard /V 1 /R 2 /O <"
        + "00" * 32
        + "> /U <"
        + "11" * 32
        + "> /P -4 >> /ID [<00><00>]",
    )
    with pytest.raises(Unreadable, match="password"):
        read(locked, "x.pdf")


def test_a_word_document():
    parsed = read(SAMPLES["plan.docx"], "plan.docx")
    entry = parsed.entries[0]
    assert entry.title == "Quarterly plan"
    assert entry.created_at == datetime(2025, 3, 1, 8, tzinfo=UTC)
    assert entry.people == (PersonRef("Li Na", "", "author"),)
    assert texts(parsed) == [
        "Goals",
        "We launch project A in June.",
        "第二季度",
        "- first\n- second",
        "Name | Owner\nReport | 张伟",
    ]
    assert entry.blocks[-1].place.heading_path == ("Goals", "第二季度")


def test_a_container_that_would_unpack_to_far_more_is_refused():
    with pytest.raises(Unreadable, match="unpack"):
        read(docx_bytes(), "x.docx", limits={"unpacked_bytes": 1000})


def test_a_mail_in_gbk_with_a_quote():
    parsed = read(SAMPLES["mail.eml"], "mail.txt")
    entry = parsed.entries[0]
    assert entry.kind is EntryKind.MAIL
    assert entry.title == "会议通知"
    assert entry.event_time == datetime(2025, 5, 14, 10, tzinfo=entry.event_time.tzinfo)
    assert entry.event_time.utcoffset() == timedelta(hours=8)
    assert entry.people[0] == PersonRef("张伟", "zw@example.cn", "author")
    assert [person.address for person in entry.people[1:]] == ["ln@example.com", "bob@example.com"]
    assert texts(parsed, BlockKind.PARAGRAPH) == ["请周三之前交测试报告。"]
    assert "什么时候交？\n谢谢" in texts(parsed, BlockKind.QUOTE)
    assert entry.blocks[0].place.message_id == "m1@example.cn"
    assert dict(parsed.facts) == {"subject": "会议通知", "attachments": 0, "from": "张伟 <zw@example.cn>"}


@pytest.mark.parametrize(
    ("text", "own", "quoted"),
    [
        ("Yes.\n\nOn Mon, Apr 2, 2012 at 6:26 PM, Me <x@y.z> wrote:\n> when?\n", ["Yes."], "when?"),
        ('Да.\n02.04.2012 14:20 пользователь "b@x.y" <\nb@x.y> написал:\n> когда?\n', ["Да."], "когда?"),
        ("好的。\n\n在 2025年5月13日，李娜 写道：\n> 几点？\n", ["好的。"], "几点？"),
        ("Ok\n\n-----Original Message-----\nFrom: a\nSent: b\n\nold one\n", ["Ok"], "old one"),
        ("好\n\n发件人: 张三\n发送时间: 2025年5月1日\n主题: x\n\n旧的\n", ["好"], "旧的"),
        ("> first\n\nanswer\n\n> second\n\nanother\n", ["answer", "another"], "second"),
        ("Note: a > b\nand 5 > 3\n", ["Note: a > b\nand 5 > 3"], None),
    ],
)
def test_what_is_quoted_is_told_from_what_is_written(text, own, quoted):
    parsed = read(f"From: a@b.c\nSubject: s\nContent-Type: text/plain; charset=utf-8\n\n{text}", "m.eml")
    assert texts(parsed, BlockKind.PARAGRAPH) == own
    if quoted is not None:
        assert quoted in texts(parsed, BlockKind.QUOTE)


def test_a_mail_with_attachments_and_two_bodies():
    body = (
        "From: a@example.com\nSubject: Files\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=X\n\n"
        "--X\nContent-Type: multipart/alternative; boundary=Y\n\n--Y\nContent-Type: text/plain\n\nHello there, all.\n"
        "--Y\nContent-Type: text/html\n\n<p>Hello there, <b>all</b>.</p>\n--Y--\n"
        '--X\nContent-Type: text/markdown\nContent-Disposition: attachment; filename="=?utf-8?B?6K6h5YiSLm1k?="\n\n'
        "# Inside\n\nattached text\n"
        "--X\nContent-Type: image/png\nContent-Disposition: attachment; filename=p.png\n\nxx\n--X--\n"
    )
    parsed = read(body, "m.eml")
    assert parsed.facts["attachments"] == 2
    assert parsed.entries[0].metadata["attachments"] == "计划.md, p.png"
    assert texts(parsed) == ["Hello there, all.", "计划.md", "Inside", "attached text"]
    assert parsed.entries[0].blocks[-1].place.heading_path == ("计划.md", "Inside")


@pytest.mark.parametrize(
    ("plain", "rich", "shown"),
    [
        ("The plain text says it all.", "<p>The rich text says it <b>too</b>.</p>", "The plain text says it all."),
        ("See HTML.", f"<p>{'The rich text says far more. ' * 10}</p>", ("The rich text says far more. " * 10).strip()),
        ("", "<p>Only rich.</p>", "Only rich."),
    ],
)
def test_of_two_forms_of_a_mail_the_plain_one_is_read_unless_it_says_nothing(plain, rich, shown):
    body = (
        "From: a@b.c\nSubject: s\nContent-Type: multipart/alternative; boundary=Y\n\n--Y\nContent-Type: text/plain\n\n"
        f"{plain}\n--Y\nContent-Type: text/html\n\n{rich}\n--Y--\n"
    )
    assert texts(read(body, "m.eml")) == [shown]


def test_mails_that_break_the_rules():
    raw = "From: 张三 <z@example.cn>\nSubject: 通知 =?x-unknown?Q?abc?=\nDate: nonsense\n\n正文\n".encode("gbk")
    entry = read(raw, "m.eml").entries[0]
    assert entry.title.startswith("通知")
    assert entry.people[0].name == "张三"
    assert entry.event_time is None
    nested = "Content-Type: message/rfc822\nSubject: s\n\n" * 60 + "end"
    assert read(nested, "m.eml").warnings


def test_a_mailbox_gives_an_entry_for_each_message():
    one = "From a@b Wed May 14 10:00:00 2025\nFrom: a@b\nSubject: one\nMessage-ID: <1@b>\n\ntext\n>From here\n"
    two = "From a@b Wed May 14 11:00:00 2025\nFrom: a@b\nSubject: two\n\ntext\n"
    parsed = read(f"{one}\n{two}", "box.mbox")
    assert [entry.title for entry in parsed.entries] == ["one", "two"]
    assert parsed.entries[0].fragment == "1@b"
    assert parsed.entries[0].blocks[0].text == "text\nFrom here"
    assert len({entry.content_hash for entry in parsed.entries}) == 2


def test_text_beyond_the_limit_is_left_out_with_a_warning():
    for name in ("x.txt", "x.md", "x.html"):
        parsed = read("<p>" * (name == "x.html") + "word " * 1000, name, limits={"text_chars": 100})
        assert sum(len(text) for text in texts(parsed)) <= 100
        assert any("100" in str(warning) for warning in parsed.warnings)


def test_of_a_very_long_text_only_the_beginning_is_decoded():
    sniffed = sniff("第一行\n".encode("gbk") * 1000, "x.txt", 100)
    assert not sniffed.is_whole
    assert 100 < len(sniffed.decoded.text) < 1000
    assert not sniffed.decoded.has_losses


def test_a_very_long_note_is_read_as_plain_text():
    parsed = read("# Head\n\ntext *a*\n\n" * 25_000, "x.md")
    assert texts(parsed)[:2] == ["# Head", "text *a*"]


def test_the_beginning_of_a_page_that_is_too_long_is_taken_in(monkeypatch):
    monkeypatch.setattr(html, "_MAX_CHARS", 100)
    parsed = read("<p>first</p>" + "<p>word</p>" * 1000, "x.html")
    assert texts(parsed)[:2] == ["first", "word"]
    assert any("characters" in str(warning) for warning in parsed.warnings)
    assert not read("<p>first</p>", "x.html").warnings


@pytest.mark.parametrize("name", ["empty.txt", "empty.md", "empty.csv", "empty.html"])
def test_an_empty_file_is_an_entry_without_text(name):
    parsed = read(b"", name)
    assert parsed.entries[0].title == "empty"
    assert parsed.entries[0].blocks == ()
