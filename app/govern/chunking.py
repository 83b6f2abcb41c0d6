"""An entry becomes passages of 200-500 model tokens, each knowing its place (G2.3).

Paragraphs are packed together while they fit; a long one is cut at sentence borders; a table is cut between rows, its
header repeated; a meeting's minutes are cut at their agenda items, however short; a chat keeps one passage a message.
What a mail quotes, and a signature that says more than a name, are passages of their own: not what the sender says.
Nothing is lost: joined again, the passages are the entry's text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.domain.entries import QUOTED, SIGNATURE, Block, Chunk, Place
from app.domain.labels import BlockKind, EntryKind
from app.govern.language import UNKNOWN, detect
from app.govern.pieces import pieces_of
from app.govern.rule_tables import made_of_rules, rule_table
from app.govern.wording import day_words, opening

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.entries import Entry
    from app.govern.pieces import Piece


class TokenCounter(Protocol):
    """Counts by the embedding model's own tokenizer, or estimates while the model is absent."""

    def count(self, text: str) -> int:
        """Tokens of `text`, without prefix and special tokens."""
        ...


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """Sizes in model tokens (G2.3).

    Attributes:
        floor: a passage is not closed below this while its entry goes on.
        soft: from the floor on, a paragraph that would lead beyond this starts a new passage.
        ceiling: never exceeded.
    """

    floor: int = 200
    soft: int = 320
    ceiling: int = 500

    @property
    def piece(self) -> int:
        """The longest piece that always fits behind a passage below its floor."""
        return self.ceiling - self.floor


DEFAULT_LIMITS = ChunkLimits()


@made_of_rules
def limits_in_force() -> ChunkLimits:
    """The lengths that resources/rules/chunking.toml says, with what a person changed of them (G2.8)."""
    return ChunkLimits(**rule_table("chunking")["limits"])


_NAME_TOKENS = 24
_MOST_SECONDS = 60
_MINUTES = re.compile(r"\b(minutes|meeting notes|agenda)\b|会议(纪要|记录|议程)|纪要|例会|周会", re.IGNORECASE)
_ITEM_START = re.compile(
    r"\s*(?:\d{1,2}[.)、]\s*\S|[一二三四五六七八九十]{1,2}[、.]|议题|(?:item|topic)\s*\d)", re.IGNORECASE
)


def chunk(entry: Entry, counter: TokenCounter, limits: ChunkLimits | None = None) -> list[Chunk]:
    """Cut an entry into passages; an entry without any text gives one passage with its title.

    Args:
        limits: None: those in force.
    """
    limits = limits or limits_in_force()
    lead = opening(entry)
    has_text = any(block.text.strip() for block in entry.blocks)
    first = lead or ("" if has_text else entry.title)
    pieces = pieces_of((Block(BlockKind.PARAGRAPH, first), *entry.blocks), counter.count, limits.piece)
    if entry.kind is EntryKind.CHAT:
        groups = [[piece] for piece in pieces]
    else:
        groups = _packed(pieces, limits, is_minutes=_is_minutes(entry), has_opening=bool(lead))
    return [_chunk(entry, ordinal, group, counter) for ordinal, group in enumerate(groups)]


def _is_minutes(entry: Entry) -> bool:
    headings = " ".join(block.text for block in entry.blocks[:2] if block.kind is BlockKind.HEADING)
    return _MINUTES.search(f"{entry.title} {headings}") is not None


def _packed(pieces: Iterable[Piece], limits: ChunkLimits, *, is_minutes: bool, has_opening: bool) -> list[list[Piece]]:
    """Group pieces greedily; headings always go with what follows them."""
    groups: list[list[Piece]] = []
    current: list[Piece] = []
    for piece in pieces:
        while current and _starts_new(current, piece, limits, is_minutes=is_minutes):
            kept = _without_trailing_headings(current)
            groups.append(kept)
            current = current[len(kept) :]
        current.append(piece)
    if current:
        groups.append(current)
    if not is_minutes and not has_opening:
        _join_short_end(groups, limits)
    return groups


def _starts_new(current: Sequence[Piece], piece: Piece, limits: ChunkLimits, *, is_minutes: bool) -> bool:
    total = _size(current)
    if total + piece.tokens > limits.ceiling:
        return True
    if all(before.is_heading for before in current):
        return False
    if not _is_same_voice(current[-1], piece) or not _is_same_minute(current, piece):
        return True
    if is_minutes and not piece.is_continued and (piece.is_heading or _ITEM_START.match(piece.text)):
        return True
    if total < limits.floor:
        return False
    is_elsewhere = piece.is_heading or piece.place.heading_path != current[-1].place.heading_path
    return is_elsewhere or total + piece.tokens > limits.soft


def _is_same_voice(one: Piece, other: Piece) -> bool:
    """Whether both are own words, or both quoted, or both a signature (`Place`).

    A greeting and a name say nothing that could be taken for anything else, and stay with the words that they close.
    """
    return one.place.is_quoted == other.place.is_quoted and _is_signature(one) == _is_signature(other)


def _is_same_minute(current: Sequence[Piece], piece: Piece) -> bool:
    """Whether what was said is near the beginning of a passage: its citation leads to that second (G4.1)."""
    since = next((before.place.second for before in current if before.place.second is not None), None)
    return since is None or piece.place.second is None or abs(piece.place.second - since) < _MOST_SECONDS


def _is_signature(piece: Piece) -> bool:
    is_name = piece.tokens <= _NAME_TOKENS and not any(sign.isdigit() or sign in "@/" for sign in piece.text)
    return piece.place.is_signature and not is_name


def _without_trailing_headings(group: list[Piece]) -> list[Piece]:
    end = len(group)
    while end > 0 and group[end - 1].is_heading:
        end -= 1
    return group[:end] if end > 0 else group


def _join_short_end(groups: list[list[Piece]], limits: ChunkLimits) -> None:
    """A remainder below the floor goes back to its neighbour where both fit."""
    if len(groups) < 2 or not _is_same_voice(groups[-2][-1], groups[-1][0]):  # noqa: PLR2004 - two neighbours
        return
    if not _is_same_minute(groups[-2], groups[-1][-1]):
        return
    if _size(groups[-1]) < limits.floor and _size(groups[-2] + groups[-1]) <= limits.ceiling:
        groups[-2:] = [groups[-2] + groups[-1]]


def _size(group: Sequence[Piece]) -> int:
    return sum(piece.tokens for piece in group)


def _chunk(entry: Entry, ordinal: int, group: Sequence[Piece], counter: TokenCounter) -> Chunk:
    text = _joined(group)
    place = _place(group)
    headings = (part for part in place.heading_path if part not in (QUOTED, SIGNATURE))
    frame = [part for part in (*_context(entry), *headings) if part.strip() and part not in text]
    found = detect(text)
    return Chunk(
        ordinal=ordinal,
        text=text,
        embed_text="\n".join([" > ".join(frame), text]) if frame else text,
        place=place,
        token_count=counter.count(text),
        language=found if found != UNKNOWN else (entry.language or UNKNOWN),
    )


def _context(entry: Entry) -> list[str]:
    """What stands before every passage of an entry when it is embedded: its title; a chat's day."""
    if entry.kind is not EntryKind.CHAT or entry.event_time is None:
        return [entry.title]
    return [entry.title, day_words(entry.event_time, is_chinese=entry.language == "zh")]


def _joined(group: Sequence[Piece]) -> str:
    """The pieces as one text; a table's header stands once in front of its rows."""
    parts: list[str] = []
    previous: Piece | None = None
    for piece in group:
        is_same_table = previous is not None and piece.is_continued and bool(piece.header)
        if previous is not None:
            parts.append("" if piece.is_continued and not piece.header else "\n" if is_same_table else "\n\n")
        parts.append(piece.text if is_same_table or not piece.header else f"{piece.header}\n{piece.text}")
        previous = piece
    return "".join(parts).strip()


def _place(group: Sequence[Piece]) -> Place:
    """The span over all pieces; the heading path that they share."""
    bodies = [piece.place for piece in group if not piece.is_heading] or [piece.place for piece in group]
    first_lines = [piece.place.first_line for piece in group if piece.place.first_line is not None]
    last_lines = [piece.place.last_line for piece in group if piece.place.last_line is not None]
    pages = [place.page for place in (piece.place for piece in group) if place.page is not None]
    seconds = (place.second for place in bodies if place.second is not None)
    messages = {place.message_id for place in bodies}
    return Place(
        heading_path=_shared_path([place.heading_path for place in bodies]),
        page=min(pages, default=None),
        first_line=min(first_lines, default=None),
        last_line=max(last_lines, default=None),
        message_id=messages.pop() if len(messages) == 1 else None,
        second=next(seconds, None),
    )


def _shared_path(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    shared = paths[0]
    for path in paths[1:]:
        length = 0
        while length < min(len(shared), len(path)) and shared[length] == path[length]:
            length += 1
        shared = shared[:length]
    return shared
