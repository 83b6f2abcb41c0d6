"""The plain text of a message: what was written, and what was only quoted from an earlier one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.labels import BlockKind
from app.sources.parsing.plain_text import paragraphs

if TYPE_CHECKING:
    from app.sources.parsing.blocks import BlockWriter

# a bar at the beginning quotes; bars on both sides are a table
_QUOTED = re.compile(r"\s{0,3}(?:[A-Za-z]{0,3}>|\|\s(?!.*\|\s*\Z))")
_ATTRIBUTION = re.compile(
    r"\s*(?:On\b.{5,300}\bwrote|Am\b.{5,300}\bschrieb.{0,200}|Le\b.{5,300}\ba écrit|El\b.{5,300}\bescribió"
    r"|(?:在|于)?.{3,300}(?:写道|寫道|的原始邮件)|.{3,300}のメール|.{3,200}\bwrites?)\s*[:：]?\s*",
    re.IGNORECASE | re.DOTALL,
)
_ORIGINAL = re.compile(
    r"\s*(?:-{2,60}\s*(?:Original Message|Forwarded message|Original Appointment|Reply message"
    r"|(?:回复的)?原始?邮件(?:信息)?|原始郵件|转发的?邮件(?:信息)?"
    r"|轉寄的?郵件|轉發的?郵件|邮件原件|Ursprüngliche Nachricht|Message d'origine"
    r"|Mensaje original)\s*-{2,60}|Begin forwarded message\s*[:：]"
    r"|(?:开始|以下是|下面是)被?转发的?邮件\s*[:：]?)\s*",
    re.IGNORECASE,
)
# A reply as Outlook begins it: the old message's header, in bold or not, or as the rows of a table
_BEFORE_NAME, _AFTER_NAME = r"\s*(?:\|\s{0,9})?\*{0,2}", r"\s*(?:[:：]|\|)"
_OLD_HEADER = re.compile(_BEFORE_NAME + r"(?:From|发件人|寄件者|Von|De|Från|Van)" + _AFTER_NAME + r"\*{0,2}\s*\S")
_OLD_HEADER_NEXT = re.compile(
    _BEFORE_NAME
    + r"(?:Sent|Date|To|Subject|发送时间|发送日期|日期|收件人|主题|寄件日期|收件者|主旨|Gesendet|Envoyé|Enviado|Datum)"
    + _AFTER_NAME,
    re.IGNORECASE,
)
# Whoever books a train writes From, To and Date as well; only a mail has these
_OF_A_MAIL = re.compile(
    _BEFORE_NAME
    + r"(?:Sent|Subject|发送时间|发送日期|主题|寄件日期|主旨|Gesendet|Betreff|Envoyé|Objet|Enviado|Asunto|Skickat|Ämne)"
    + _AFTER_NAME
    + r"|.{0,300}\S@\S",
    re.IGNORECASE,
)
_RULE = re.compile(r"\s*_{20,}\s*")
_LINES_OF_HEADER = 6
# In any language: a line that begins with a date, or nearly so, and ends in a colon
_DATED = re.compile(r"\s*(?:\S+\s+){0,3}\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b.{0,300}[:：]\s*\Z", re.DOTALL)
_ATTRIBUTION_LINES = 3
_MAX_RUNS = 5_000
_INTRODUCTION_CHARS = 400


def write_text(text: str, writer: BlockWriter) -> None:
    """Write paragraphs and quotes; everything after an old message's header is a quote."""
    is_old = False
    runs = 0
    for _, lines in paragraphs(text):
        if writer.was_cut:
            return
        if not is_old and (start := old_message(lines)) is not None:
            _write_lines(lines[:start], writer)
            lines = lines[start:]  # noqa: PLW2901 - the rest of the paragraph
            is_old = True
        # no letter goes to and fro so often; where one does, what is half quoted counts as quoted
        is_quote = is_old or (runs > _MAX_RUNS and any(_is_quoted(line) for line in lines))
        if is_quote:
            writer.add(BlockKind.QUOTE, "\n".join(lines))
        else:
            runs += _write_lines(lines, writer)


def old_message(lines: list[str]) -> int | None:
    """The line at which an old message begins, or None."""
    for index, line in enumerate(lines):
        if _ORIGINAL.fullmatch(line):
            return index
        if _begins_header(lines[index : index + _LINES_OF_HEADER]):
            return index - 1 if index > 0 and _RULE.fullmatch(lines[index - 1]) else index
    return None


def _begins_header(lines: list[str]) -> bool:
    """Whether the header of an old message begins with these lines."""
    if not _OLD_HEADER.match(lines[0]) or not any(_OLD_HEADER_NEXT.match(line) for line in lines[1:4]):
        return False
    return any(_OF_A_MAIL.match(line) for line in lines)


def _write_lines(lines: list[str], writer: BlockWriter) -> int:
    """A paragraph, cut where quoting begins and ends; returns into how many. A line that introduces a quote is its."""
    held: list[str] = []
    runs = 1
    is_quote = False
    for line in lines:
        if _is_quoted(line) != is_quote:
            _write_run(held, writer, is_quote=is_quote, ends_at_quote=True)
            held = []
            is_quote = not is_quote
            runs += 1
        held.append(line)
    _write_run(held, writer, is_quote=is_quote)
    return runs


def _write_run(lines: list[str], writer: BlockWriter, *, is_quote: bool, ends_at_quote: bool = False) -> None:
    if is_quote:
        writer.add(BlockKind.QUOTE, "\n".join(_QUOTED.sub("", line, count=1).strip() for line in lines))
        return
    introduction = _introduction(lines, ends_at_quote=ends_at_quote)
    writer.add(BlockKind.PARAGRAPH, "\n".join(lines[: len(lines) - introduction]))
    writer.add(BlockKind.QUOTE, "\n".join(lines[len(lines) - introduction :]))


def _introduction(lines: list[str], *, ends_at_quote: bool) -> int:
    """How many lines at the end only say who wrote what follows; in front of a quote, a date and a colon are enough."""
    for count in range(1, min(_ATTRIBUTION_LINES, len(lines)) + 1):
        text = " ".join(lines[-count:])
        if text.rstrip().endswith((":", "：")) and _ATTRIBUTION.fullmatch(text):
            return count
        if ends_at_quote and _DATED.match(text):
            return count
    return 0


def introducing_lines(text: str) -> int:
    """How many lines at the end of a text in front of a quote only say who wrote it, and when."""
    return _introduction(
        [line[:_INTRODUCTION_CHARS] for line in text.rsplit("\n", _ATTRIBUTION_LINES)], ends_at_quote=True
    )


def _is_quoted(line: str) -> bool:
    return _QUOTED.match(line) is not None
