"""Spreadsheets, slides, OpenDocument, books and rich text: what is in them comes out, with its place (G1.1, G2.3)."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from time import process_time

import pytest

from app.domain.entries import PersonRef
from app.domain.errors import Unreadable
from app.domain.labels import BlockKind
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.xlsx_numbers import NumberKind, kind_of, shown
from tests.unit.sources.makers import about
from tests.unit.sources.parsing.office_files import cell, epub, open_document, pptx, row, shape, xlsx, zipped


def read(data: bytes, name: str, **changes):
    return parse_content(data, about(name, **changes))


def found(parsed) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in parsed.entries[0].blocks]


def test_sheets_are_headings_and_rows_are_tables():
    data = xlsx(
        {
            "Tasks": row(1, "姓名", "due") + row(2, "张三", 45791) + row(3, "李四", None, 1.5),
            "空": "",
        },
        title="Plan",
    )
    parsed = read(data, "x.xlsx")
    entry = parsed.entries[0]
    assert (parsed.format, entry.title) == ("xlsx", "Plan")
    assert entry.people == (PersonRef("李雷", "", "author"),)
    assert entry.created_at == datetime(2025, 5, 10, 8, tzinfo=UTC)
    assert found(parsed) == [
        ("heading", "Tasks"),
        ("table", "姓名 | due | \n张三 | 45791 | \n李四 |  | 1.5"),
        ("heading", "空"),
    ]
    table = entry.blocks[1].place
    assert (table.heading_path, table.page, table.first_line, table.last_line) == (("Tasks",), 1, 1, 3)


def test_numbers_are_what_their_format_makes_of_them():
    styles = '<numFmts><numFmt numFmtId="165" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts>'
    styles += '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="10"/></cellXfs>'
    cells = cell("A1", "x") + cell("B1", 45791, 1) + cell("C1", 45791.4375, 2) + cell("D1", 0.25, 3)
    cells += '<c r="E1" t="s"><v>1</v></c><c r="F1" t="b"><v>1</v></c><c r="G1" t="e"><v>#N/A</v></c>'
    strings = "<si><t>no</t></si><si><r><t>共</t></r><r><t>享</t></r><rPh><t>reading</t></rPh></si>"
    parsed = read(xlsx({"S": f"<row>{cells}</row>"}, styles=styles, strings=strings), "x.xlsx")
    assert found(parsed)[1][1] == "x | 2025-05-14 | 2025-05-14 10:30 | 25% | 共享 | TRUE | #N/A"


def test_a_formula_shows_its_stored_result_and_is_never_computed():
    cells = '<c r="A1"><f>1+1</f><v>2</v></c><c r="B1"><f>WEBSERVICE("http://x")</f></c><c r="C1"><v>3</v></c>'
    parsed = read(xlsx({"S": f"<row>{cells}</row>"}), "x.xlsx")
    assert found(parsed)[1][1] == "2 | 3"
    assert "1 formula" in str(parsed.warnings[0])


def test_captions_lists_and_tables_that_go_on():
    rows = row(1, "季度报告") + row(2, "name", "value") + row(3, "a", 1) + row(5, "b", 2)
    rows += row(7, None, "alone") + row(8, None, "again")
    parsed = read(xlsx({"S": rows}), "x.xlsx")
    assert found(parsed)[1:] == [
        ("paragraph", "季度报告"),
        ("table", "name | value\na | 1"),
        ("table", "name | value\nb | 2"),
        ("list", "alone\nagain"),
    ]


def test_what_people_wrote_on_cells():
    data = xlsx({"S": row(1, "a", "b")}, comments='<comment ref="A1"><text><r><t>请核对</t></r></text></comment>')
    assert found(read(data, "x.xlsx"))[-1] == ("paragraph", "A1: 请核对")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("General", NumberKind.PLAIN),
        ("0.00", NumberKind.PLAIN),
        ('"day" 0', NumberKind.PLAIN),
        ("[Red]#,##0", NumberKind.PLAIN),
        ("[$-804]yyyy/m/d", NumberKind.DATE),
        ("mmm", NumberKind.DATE),
        ("h:mm AM/PM", NumberKind.TIME),
        ("[h]:mm", NumberKind.TIME),
        ("0.0%", NumberKind.SHARE),
    ],
)
def test_formats(code, kind):
    assert kind_of(170, code) is kind


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("1", NumberKind.DATE, "1900-01-01"),
        ("61", NumberKind.DATE, "1900-03-01"),
        ("0.5", NumberKind.TIME, "12:00"),
        ("1.25", NumberKind.TIME, "30:00"),
        ("0.30000000000000004", NumberKind.PLAIN, "0.3"),
        ("1E+20", NumberKind.PLAIN, "100000000000000000000"),
        ("-5", NumberKind.DATE, "-5"),
        ("1e999", NumberKind.DATE, "1e999"),
        ("words", NumberKind.DATE, "words"),
    ],
)
def test_numbers_as_words(text, kind, words):
    assert shown(text, kind, is_1904=False) == words


def test_the_years_of_a_macintosh():
    assert shown("0", NumberKind.DATE, is_1904=True) == "1904-01-01"
    rows = row(1, "a", "b") + f"<row>{cell('A2', 1, 1)}{cell('B2', 'x')}</row>"
    styles = '<cellXfs><xf/><xf numFmtId="14"/></cellXfs>'
    data = xlsx({"S": rows}, workbook='<workbookPr date1904="1"/>', styles=styles)
    assert "1904-01-02 | x" in found(read(data, "x.xlsx"))[1][1]


def test_slides_have_titles_texts_tables_and_notes():
    table = "<p:graphicFrame><a:tbl><a:tr>{}</a:tr><a:tr>{}</a:tr></a:tbl></p:graphicFrame>".format(
        "".join(f"<a:tc><a:txBody><a:p><a:t>{text}</a:t></a:p></a:txBody></a:tc>" for text in ("谁", "what")),
        "".join(f"<a:tc><a:txBody><a:p><a:t>{text}</a:t></a:p></a:txBody></a:tc>" for text in ("张三", "report")),
    )
    slides = [
        shape("Footer", "ftr") + shape("first\n第二点", "body") + shape("启动会", "title") + table,
        f"<p:grpSp>{shape('loose words')}</p:grpSp>",
    ]
    parsed = read(pptx(slides, title="PowerPoint Presentation", notes={2: shape("记得停顿", "body")}), "x.pptx")
    assert parsed.entries[0].title == "启动会"
    assert found(parsed) == [
        ("heading", "启动会"),
        ("list", "- first\n- 第二点"),
        ("table", "谁 | what\n张三 | report"),
        ("paragraph", "loose words"),
        ("paragraph", "记得停顿"),
    ]
    assert [(block.place.page, block.place.heading_path) for block in parsed.entries[0].blocks[2:]] == [
        (1, ("启动会",)),
        (2, ()),
        (2, ()),
    ]


def test_an_open_document_text():
    body = """<office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
    <text:h text:outline-level="1">标题</text:h><text:p>one<text:s text:c="2"/>two<text:note><text:note-body>
    <text:p>a note</text:p></text:note-body></text:note></text:p><text:section><text:list><text:list-item>
    <text:p>甲</text:p><text:list><text:list-item><text:p>乙</text:p></text:list-item></text:list>
    </text:list-item></text:list></text:section>
    <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell
    table:number-columns-repeated="2"><text:p>b</text:p></table:table-cell></table:table-row></table:table></office:text>"""
    parsed = read(open_document("text", body), "x.odt")
    assert parsed.entries[0].title == "计划"
    assert parsed.entries[0].people == (PersonRef("韩梅梅", "", "author"),)
    assert found(parsed) == [
        ("heading", "标题"),
        ("paragraph", "one  two"),
        ("paragraph", "a note"),
        ("list", "- 甲\n  - 乙"),
        ("table", "a | b | b"),
    ]


def test_an_open_document_sheet():
    body = """<table:table table:name="表一"><table:table-row><table:table-cell><text:p>日期</text:p></table:table-cell>
    <table:table-cell><text:p>n</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/>
    </table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="date"
    office:date-value="2025-05-14T00:00:00"><text:p>14/05/25</text:p></table:table-cell><table:table-cell
    office:value-type="float" office:value="3"><text:p>3</text:p></table:table-cell></table:table-row>
    <table:table-row table:number-rows-repeated="1048000"/></table:table>"""
    parsed = read(open_document("spreadsheet", body), "x.ods")
    assert parsed.format == "ods"
    assert found(parsed) == [("heading", "表一"), ("table", "日期 | n\n2025-05-14 | 3\n2025-05-14 | 3")]


def test_open_document_slides():
    body = """<draw:page><draw:frame><draw:text-box><text:p>text</text:p></draw:text-box></draw:frame>
    <draw:frame presentation:class="title"><draw:text-box><text:p>封面</text:p></draw:text-box></draw:frame>
    <presentation:notes><draw:frame presentation:class="page-number"><text:p>1</text:p></draw:frame>
    <draw:frame><text:p>备注</text:p></draw:frame></presentation:notes></draw:page>"""
    parsed = read(open_document("presentation", body), "x.odp")
    assert found(parsed) == [("heading", "封面"), ("paragraph", "text"), ("paragraph", "备注")]
    assert {block.place.page for block in parsed.entries[0].blocks} == {1}


def test_a_book_in_its_reading_order():
    chapters = {
        "b.xhtml": "<html><head><title/></head><body><h1>第一章</h1><p>One.</p></body></html>",
        "a.xhtml": "<html><body><p>二。</p></body></html>",
    }
    contents = '<navPoint><navLabel><text>第二章</text></navLabel><content src="a.xhtml#top"/></navPoint>'
    parsed = read(epub(chapters, contents=contents), "x.epub")
    entry = parsed.entries[0]
    assert (entry.title, entry.language, entry.people) == ("小书", "zh", (PersonRef("鲁迅", "", "author"),))
    assert found(parsed) == [("heading", "第一章"), ("paragraph", "One."), ("heading", "第二章"), ("paragraph", "二。")]
    assert entry.blocks[-1].place.heading_path == ("第二章",)


def test_only_a_copy_protection_of_the_text_is_one():
    page = {"a.xhtml": "<p>text</p>"}
    assert found(read(epub(page, protection="http://www.idpf.org/2008/embedding"), "x.epub"))
    with pytest.raises(Unreadable, match="copy protection"):
        read(epub(page, protection="http://www.w3.org/2001/04/xmlenc#aes128-cbc"), "x.epub")


RICH = (
    rb"{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fcharset134 SimSun;}{\f1\fcharset0 Arial;}{\f2\fcharset204 A;}}"
    rb"{\stylesheet{\s1 heading 1;}}{\info{\title \'bc\'c6\'bb\'ae}{\author Ann}{\creatim\yr2025\mo5\dy14\hr9}}"
    rb"{\header page head}\pard\s1 Title\par\pard\f0 \'b1\'a8\'b8\'e6 out {\f1 caf\'e9} {\f2\'ef}\par"
    rb"\u8364?\u-10179?\u-8704?{\v hidden}{\*\unknown x}{\pict 0102}\line next\par"
    rb"{\pntext 1.\tab}one\par{\pntext\bullet\tab}two\par"
    rb"\trowd\intbl a\cell b\cell\row\trowd\intbl \'bc\'d7\cell d\cell\row\pard end}"
)


def test_rich_text():
    parsed = read(RICH, "x.rtf")
    entry = parsed.entries[0]
    assert (entry.title, entry.people) == ("计划", (PersonRef("Ann", "", "author"),))
    assert entry.created_at == datetime(2025, 5, 14, 9, tzinfo=UTC)
    assert found(parsed) == [
        ("heading", "Title"),
        ("paragraph", "报告 out café п"),
        ("paragraph", "€😀\nnext"),
        ("list", "1. one\n- two"),
        ("table", "a | b\n甲 | d"),
        ("paragraph", "end"),
    ]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (xlsx({"S": row(1, "a", "b")}), "x.xlsx"),
        (pptx([shape("a", "title")]), "x.pptx"),
        (open_document("text", "<office:text><text:p>a</text:p></office:text>"), "x.odt"),
        (epub({"a.xhtml": "<p>a</p>"}), "x.epub"),
        (RICH, "x.rtf"),
    ],
)
def test_damage_is_refused_or_survived(data, name):
    for cut in range(8, len(data), max(1, len(data) // 60)):
        for broken in (data[:cut], data[:cut] + b"\xff\0<" + data[cut + 3 :]):
            try:
                read(broken, name)
            except Unreadable:
                continue


@pytest.mark.parametrize(
    ("parts", "name", "word"),
    [
        ({"xl/workbook.bin": ""}, "x.xlsb", "xlsb"),
        ({"Index/Document.iwa": ""}, "x.pages", "Pages"),
        ({"visio/document.xml": ""}, "x.vsdx", "Drawings"),
        ({"xl/workbook.xml": "<"}, "x.xlsx", "XLSX"),
        ({"ppt/presentation.xml": ""}, "x.pptx", "PPTX"),
        ({"META-INF/container.xml": ""}, "x.epub", "EPUB"),
        ({"mimetype": "", "content.xml": "<a>"}, "x.odt", "OpenDocument"),
    ],
)
def test_what_cannot_be_read_is_refused(parts, name, word):
    with pytest.raises(Unreadable, match=word):
        read(zipped(parts), name)


def test_a_password_is_seen():
    manifest = "<file-entry><encryption-data/></file-entry>"
    with pytest.raises(Unreadable, match="password"):
        read(open_document("text", "", manifest=manifest), "x.odt")


def test_entities_of_a_document_are_never_followed_or_multiplied():
    outside = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
    rows = '<row><c t="str"><v>&a;</v></c><c t="str"><v>b</v></c></row>'
    data = zipped(
        {
            "xl/workbook.xml": '<workbook xmlns:r="r"><sheet name="S" r:id="s1"/></workbook>',
            "xl/_rels/workbook.xml.rels": '<R><Relationship Id="s1" Type="x/worksheet" Target="s.xml"/></R>',
            "xl/s.xml": f"{outside}<worksheet>{rows}</worksheet>",
        }
    )
    assert found(read(data, "x.xlsx"))[1:] == [("paragraph", "b")]
    bomb = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
    hostile = zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f'<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">{bomb}]><o xmlns:t="t"><t:p>&a9;</t:p></o>',
        }
    )
    with contextlib.suppress(Unreadable):
        assert sum(len(text) for _, text in found(read(hostile, "x.odt"))) < 1_000


def test_what_unpacks_to_far_more_than_it_is_is_refused_before_it_is_unpacked():
    rows = "<row/>" * 3_000_000
    with pytest.raises(Unreadable, match="unpack"):
        read(xlsx({"S": rows}), "x.xlsx")
    with pytest.raises(Unreadable, match="unpack"):
        read(xlsx({"S": row(1, "a", "b")}), "x.xlsx", limits={"unpacked_bytes": 100})


def test_cells_far_apart_do_not_make_what_is_between_them():
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>1</v></c><c r="XFD{n}"><v>2</v></c></row>' for n in range(1, 500))
    kind, text = found(read(xlsx({"S": rows}), "x.xlsx"))[1]
    assert (kind, len(text)) == ("table", 499 * 6 - 1)


def test_more_slides_than_are_read_are_told():
    parsed = read(pptx([shape(f"page {n}") for n in range(5)]), "x.pptx", limits={"pages": 3})
    assert len(parsed.entries[0].blocks) == 3
    assert "first 3 slides" in str(parsed.warnings[0])


def test_a_text_that_is_too_long_ends_with_a_warning():
    parsed = read(
        xlsx({"S": "".join(row(n, "word", "word") for n in range(1, 100))}), "x.xlsx", limits={"text_chars": 50}
    )
    assert parsed.warnings
    assert sum(len(text) for _, text in found(parsed)) <= 50
    assert parsed.entries[0].blocks[-1].kind is BlockKind.TABLE


def test_one_text_in_many_cells_is_not_multiplied():
    letters = "ABCDEFGH"
    rows = "".join(
        f'<row r="{n}">' + "".join(f'<c r="{letter}{n}" t="s"><v>0</v></c>' for letter in letters) + "</row>"
        for n in range(1, 5_000)
    )
    shared = f"<si><t>{'z' * 30_000}</t></si>"
    started = process_time()
    parsed = read(xlsx({"S": rows, "T": rows}, strings=shared), "x.xlsx", limits={"text_chars": 100_000})
    assert process_time() - started < 2, "1.2 thousand million characters, if all were joined"
    assert sum(len(text) for _, text in found(parsed)) <= 100_000
    assert "first 100000 characters" in str(parsed.warnings[0])
