"""Whose words the blocks of a mail are: the sender's own, quoted ones, or a signature (`Place`).

What is quoted was told from the rest by marks while the text was read; here follows what only shows in the whole: the
header of an old message in HTML, the line that introduces a quote, and the signature at the end of the sender's own
words. A signature is taken for one only when all of it looks like one; a sentence below a greeting stays a sentence.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.entries import QUOTED, SIGNATURE, Block
from app.domain.labels import BlockKind
from app.sources.parsing.mail_text import introducing_lines, old_message

if TYPE_CHECKING:
    from collections.abc import Sequence

_OF_TEXT = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTE))
_DELIMITER = re.compile(r"-- ")
_RULE = re.compile(r"\s{0,3}(?:-{2,3}|—{1,2}|_{2,100})\s*")
_FOOTER = re.compile(
    r"\s*(?:[-*_]\s?)?(?:sent (?:from|via|with|using) (?:my |the )?(?!.*[.?!]\s)\S.{0,60}|get outlook for \w.{0,20}"
    r"|(?:发自|来自|發自)我?的?.{1,24}|從我的.{1,20}(?:傳送|寄出|发送)|(?:this )?message sent from .{1,40})\s*",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\s*(?:(?:with )?(?:kind(?:est)?|best|warm(?:est)?)(?: regards| wishes)?"
    r"|(?:many )?thanks(?: again| a lot| so much)?"
    r"|thank you(?: very much| so much)?|thx|regards|br|cheers|sincerely|yours(?: sincerely| truly| faithfully)?"
    r"|sincerely yours|all the best|take care|best|thanks (?:and|&) (?:best )?regards"
    r"|此致|敬礼|敬禮|此致敬[礼禮]|顺颂?商祺|順頌商祺|祝好|祝您?工作(?:顺利|愉快)|谢谢|多谢|感谢|謝謝|敬上|以上)"
    r"\s*[,，.。!！~]*\s*",
    re.IGNORECASE,
)
_CONTACT = re.compile(
    r"@|https?://|www\.|\+?\d[\d ()./-]{5,}|\b(?:tel|phone|mobile|cell|fax|e-?mail|web|wechat|qq)\b"
    r"|电话|電話|手机|手機|邮箱|郵箱|地址|微信|传真|公司|集团|有限|部门|中心|学院|大学",
    re.IGNORECASE,
)
# a line that says something is no way to reach somebody, whatever it holds
_SAYS = re.compile(
    r"\b(?:please|will|must|should|needs?|is|are|was|were|has|have)\b"
    r"|请|需要|必须|将[于在会]|改[为到成在]|取消|推迟|提前|已经|通知|搬|会议",
    re.IGNORECASE,
)
_SURNAMES = (
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖萧蕭田董袁潘于余"
    "蒋蔣蔡杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鐘谭譚陆陸汪范金石廖贾賈夏韦韋付方白邹鄒孟熊秦邱江尹薛闫閻段雷侯龙龍史陶黎"
    "贺賀顾顧毛郝龚龔邵万萬钱錢严嚴覃武戴莫孔向汤湯"
)
_NAME = re.compile(
    r"[*_ ]{0,3}(?:[A-ZÀ-ÞА-Я][\w'’.-]{0,20}|[A-Z]\.?)"
    r"(?:,? (?:[A-ZÀ-ÞА-Я&][\w'’.-]{0,20}|of|and|the|de|van|von|der|for)){0,5}[*_ ,.]{0,3}"
    rf"|[-–—~]?\s?[a-zA-Z]{{1,12}}|(?:[{_SURNAMES}][\u4e00-\u9fff·]{{1,2}}|(?:欧阳|歐陽|司马|上官|诸葛)[\u4e00-\u9fff]{{1,2}})"
    r"|\d{4}年\d{1,2}月\d{1,2}日"
)
_LINES_BELOW_DELIMITER = 15
_LINES_BELOW_CLOSING = 8
_LINE_CHARS = 80
_LINES_OF_HEADER = 5


def with_voices(blocks: Sequence[Block], *, is_html: bool) -> list[Block]:
    """The blocks of one text of a mail, marked."""
    told = _with_old_message(blocks) if is_html else list(blocks)
    told = [
        part for index, block in enumerate(told) for part in _without_introduction(block, told[index + 1 : index + 2])
    ]
    marked = _with_signature(told)
    return [quoted(block) if block.kind is BlockKind.QUOTE else block for block in marked]


def quoted(block: Block) -> Block:
    """A block as words that are only repeated."""
    return block if block.place.is_quoted else _marked(block, QUOTED)


def _marked(block: Block, mark: str) -> Block:
    return replace(block, place=replace(block.place, heading_path=(*block.place.heading_path, mark)))


def _is_own(block: Block) -> bool:
    return block.kind is not BlockKind.QUOTE


def _with_old_message(blocks: Sequence[Block]) -> list[Block]:
    """In HTML an old message may follow without a mark: from its header on, all is quoted."""
    told: list[Block] = []
    for index, block in enumerate(blocks):
        lines = block.text.split("\n")
        # a header may be a paragraph for each of its lines
        after = [
            line for later in blocks[index + 1 : index + 1 + _LINES_OF_HEADER] for line in later.text.split("\n", 4)
        ]
        start = old_message([*lines, *after]) if block.kind in _OF_TEXT | {BlockKind.TABLE} else None
        if start is not None and start < len(lines):
            rest = [replace(later, kind=BlockKind.QUOTE) for later in blocks[index + 1 :]]
            return [*told, *_cut(block, lines, start, BlockKind.QUOTE), *rest]
        told.append(block)
    return told


def _without_introduction(block: Block, after: Sequence[Block]) -> list[Block]:
    """A block in front of a quote, without the lines that introduce it."""
    if not _is_own(block) or not after or _is_own(after[0]):
        return [block]
    count = introducing_lines(block.text)
    lines = block.text.split("\n")
    return _cut(block, lines, len(lines) - count, BlockKind.QUOTE) if count else [block]


def _with_signature(blocks: list[Block]) -> list[Block]:
    """The signature is at the end of the sender's last own words."""
    last = next((index for index in range(len(blocks) - 1, -1, -1) if _is_own(blocks[index])), None)
    if last is None:
        return blocks
    first = last
    while first > 0 and _is_own(blocks[first - 1]):
        first -= 1
    found = _signature(blocks[first : last + 1])
    if found is None:
        return blocks
    index, line = first + found[0], found[1]
    block = blocks[index]
    parts = _cut(block, block.text.split("\n"), line, block.kind)
    begun = [*parts[:-1], _marked(parts[-1], SIGNATURE)]
    rest = [_marked(part, SIGNATURE) for part in blocks[index + 1 : last + 1]]
    return [*blocks[:index], *begun, *rest, *blocks[last + 1 :]]


def _signature(run: Sequence[Block]) -> tuple[int, int] | None:
    """The block and the line of it with which the signature begins."""
    lines = [
        (index, number, line)
        for index, block in enumerate(run)
        for number, line in enumerate(block.text.split("\n"))
        if line.strip()
    ][-_LINES_BELOW_DELIMITER - 1 :]
    texts = [line for _, _, line in lines]
    for at, text in enumerate(texts):
        # anybody draws a line between two parts of a text; below the one of a signature is a signature
        if at < len(texts) - 1 and (
            _DELIMITER.fullmatch(text) or (_RULE.fullmatch(text) and _is_of_a_signature(texts[at + 1]))
        ):
            return lines[at][:2]
    end = len(texts)
    while end > 0 and _FOOTER.fullmatch(texts[end - 1]):
        end -= 1
    for at in range(max(0, end - _LINES_BELOW_CLOSING - 1), end):
        if _CLOSING.fullmatch(texts[at]) and all(_is_of_a_signature(text) for text in texts[at + 1 : end]):
            return lines[at][:2]
    return lines[end][:2] if end < len(texts) else None


def _is_of_a_signature(line: str) -> bool:
    """Whether a line below a greeting is a name, a way to reach somebody, or where they work."""
    text = line.strip()
    if len(text) > _LINE_CHARS or text.endswith(("?", "？", "。", ":", "：")):
        return False
    is_way = _CONTACT.search(text) is not None and _SAYS.search(text) is None
    return is_way or _NAME.fullmatch(text) is not None or _CLOSING.fullmatch(text) is not None


def _cut(block: Block, lines: Sequence[str], at: int, kind: BlockKind) -> list[Block]:
    """A block in two at a line, the second of another kind; only that where the first would be empty."""
    before, after = "\n".join(lines[:at]).rstrip(), "\n".join(lines[at:])
    rest = Block(kind, after, block.place)
    return [replace(block, text=before), rest] if before.strip() else [rest]
