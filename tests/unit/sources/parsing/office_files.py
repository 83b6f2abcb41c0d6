"""Small Office documents and books, written by hand: no more in them than what is tested."""

from __future__ import annotations

import io
import zipfile

_CORE = """<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>{title}</dc:title>
<dc:creator>{author}</dc:creator><dcterms:created>2025-05-10T08:00:00Z</dcterms:created></cp:coreProperties>"""
_RELATIONS = "<Relationships>{}</Relationships>"
_RELATION = '<Relationship Id="{}" Type="http://schemas.example/{}" Target="{}"/>'


def zipped(parts: dict[str, str | bytes]) -> bytes:
    """A container of these members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def relations(*links: tuple[str, str, str]) -> str:
    """A part of relations: id, last word of the type, target."""
    return _RELATIONS.format("".join(_RELATION.format(*link) for link in links))


def xlsx(sheets: dict[str, str], *, title: str = "", workbook: str = "", **parts: str) -> bytes:
    """A workbook; `sheets` are the rows of each as XML, `parts` further members (`strings`, `styles`, `comments`)."""
    names = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="s{n}"/>' for n, name in enumerate(sheets, 1))
    links = [(f"s{n}", "worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)]
    links += [("t1", "sharedStrings", "/xl/sharedStrings.xml"), ("t2", "styles", "styles.xml")]
    made = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("r1", "officeDocument", "xl/workbook.xml"), ("r2", "core-properties", "core.xml")),
        "core.xml": _CORE.format(title=title, author="李雷"),
        "xl/workbook.xml": f'<workbook xmlns:r="r">{workbook}<sheets>{names}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(*links),
        "xl/sharedStrings.xml": f"<sst>{parts.get('strings', '')}</sst>",
        "xl/styles.xml": f"<styleSheet>{parts.get('styles', '')}</styleSheet>",
    }
    for n, rows in enumerate(sheets.values(), 1):
        made[f"xl/worksheets/sheet{n}.xml"] = f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
    if "comments" in parts:
        made["xl/worksheets/_rels/sheet1.xml.rels"] = relations(("c1", "comments", "../comments1.xml"))
        made["xl/comments1.xml"] = f"<comments>{parts['comments']}</comments>"
    return zipped(made)


def cell(name: str, value: object, style: int = 0) -> str:
    """A cell with a number or a text of its own."""
    if isinstance(value, str):
        return f'<c r="{name}" t="inlineStr"><is><t>{value}</t></is></c>'
    return f'<c r="{name}" s="{style}"><v>{value}</v></c>'


def row(number: int, *values: object) -> str:
    """A row from its first column on; None leaves a cell out."""
    cells = "".join(cell(f"{chr(65 + at)}{number}", value) for at, value in enumerate(values) if value is not None)
    return f'<row r="{number}">{cells}</row>'


def shape(text: str, kind: str | None = None) -> str:
    """A shape with a text, each line a paragraph; `kind` of placeholder."""
    place = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind is not None else ""
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return f"<p:sp>{place}<p:txBody>{lines}</p:txBody></p:sp>"


def pptx(slides: list[str], *, title: str = "", notes: dict[int, str] | None = None) -> bytes:
    """A presentation; `slides` are the shapes of each as XML, `notes` those of the notes by slide (from 1)."""
    ids = "".join(f'<p:sldId id="{255 + n}" r:id="s{n}"/>' for n in range(1, len(slides) + 1))
    order = f"<p:sldIdLst>{ids}</p:sldIdLst>"
    made = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("r1", "officeDocument", "ppt/presentation.xml")),
        "docProps/core.xml": _CORE.format(title=title, author="Ann"),
        "ppt/presentation.xml": f'<p:presentation xmlns:p="p" xmlns:r="r">{order}</p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(
            *((f"s{n}", "slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1))
        ),
    }
    for n, shapes in enumerate(slides, 1):
        made[f"ppt/slides/slide{n}.xml"] = f'<p:sld xmlns:p="p" xmlns:a="a"><p:spTree>{shapes}</p:spTree></p:sld>'
    for n, shapes in (notes or {}).items():
        made[f"ppt/slides/_rels/slide{n}.xml.rels"] = relations(("n1", "notesSlide", f"../notesSlides/notes{n}.xml"))
        made[f"ppt/notesSlides/notes{n}.xml"] = (
            f'<p:notes xmlns:p="p" xmlns:a="a"><p:spTree>{shapes}</p:spTree></p:notes>'
        )
    return zipped(made)


def open_document(kind: str, body: str, *, manifest: str = "") -> bytes:
    """An OpenDocument file of a kind (text, spreadsheet, presentation); `body` is its content as XML."""
    names = "".join(f' xmlns:{name}="urn:{name}"' for name in ("office", "text", "table", "draw", "presentation"))
    content = f"<office:document-content{names}><office:body>{body}</office:body></office:document-content>"
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content,
            "meta.xml": '<o xmlns:m="m" xmlns:dc="d"><m:meta><dc:title>计划</dc:title><m:initial-creator>韩梅梅'
            "</m:initial-creator><m:creation-date>2025-05-10T08:00:00</m:creation-date></m:meta></o>",
            "META-INF/manifest.xml": f"<manifest>{manifest}</manifest>",
        }
    )


def epub(chapters: dict[str, str], *, contents: str = "", protection: str | None = None) -> bytes:
    """A book; `chapters` are pages by file name in reading order, `contents` an NCX."""
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(chapters)
    )
    items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    order = "".join(f'<itemref idref="i{n}"/>' for n in range(len(chapters)))
    made: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfile full-path="OPS/book.opf"/></container>',
        "OPS/book.opf": '<package xmlns:dc="d"><metadata><dc:title>小书</dc:title><dc:creator>鲁迅</dc:creator>'
        f"<dc:language>zh</dc:language></metadata><manifest>{items}</manifest><spine>{order}</spine></package>",
        "OPS/toc.ncx": f"<ncx>{contents}</ncx>",
    }
    # stored in another order than they are read in
    made |= {f"OPS/{name}": page for name, page in reversed(chapters.items())}
    if protection is not None:
        made["META-INF/encryption.xml"] = f'<e><EncryptionMethod Algorithm="{protection}"/></e>'
    return zipped(made)
