"""What a question asks with: the texts that are searched for, each with its weight, and its language.

Most questions are one text. A pasted conversation ("<Anna>: ... <Assistant>: ...") is several: what the person said
counts, the last turn most, and what the assistant said hardly. This is about form alone; it understands no intent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from app.context.speakers import without
from app.domain.errors import BadInput
from app.domain.text import msg
from app.govern.language import detect_question

LONGEST_QUESTION = 20_000
_TURN = re.compile(r"(?:^|\n)\s*(?:<(?P<tag>[^<>\n]{1,40})>|(?P<name>[^\W\d_][\w .'-]{0,30}?))\s*[:：]\s*")
_MACHINES = frozenset({"assistant", "ai", "bot", "system", "chatbot", "famulus", "助手", "助理", "机器人", "系统"})
_QUOTES = "\"'“”「」 \n"
_LEAST_TURNS = 2


@dataclass(frozen=True, slots=True)
class Weighted:
    """A text to search for, and how much it counts (0..1)."""

    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class Question:
    """A question, taken apart.

    Attributes:
        words: what is searched for by words.
        meanings: what is embedded; their vectors are summed by weight.
        is_talk: whether it is a conversation, whose small talk is taken off its meaning (`semantics`).
        speakers: the people it names who speak in the stored conversations (`speakers`).
        variants: the same with another name of the person whom it names (`namesakes`).
    """

    text: str
    language: str
    words: tuple[Weighted, ...]
    meanings: tuple[Weighted, ...]
    is_talk: bool = False
    speakers: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()

    def about(self, speakers: tuple[str, ...]) -> Question:
        """The same question with its speakers known: their names are searched for by words, and are not embedded."""
        if self.is_talk or not speakers:
            return self
        meanings = tuple(replace(part, text=without(speakers, part.text)) for part in self.meanings)
        return replace(self, meanings=meanings, speakers=speakers)


@dataclass(frozen=True, slots=True)
class _Turn:
    speaker: str
    text: str

    @property
    def is_machine(self) -> bool:
        return self.speaker.casefold() in _MACHINES


def read_question(text: str) -> Question:
    """Take a question apart; raises `BadInput` for one without a single letter or sign."""
    text = text.strip()[:LONGEST_QUESTION]
    if not any(character.isalnum() for character in text):
        raise BadInput(msg("The question is empty."), next_step=msg("Type a few words of what you are looking for."))
    language = detect_question(text)
    turns = _turns(text)
    said = [turn for turn in turns if not turn.is_machine]
    if len(turns) < _LEAST_TURNS or not said:
        return Question(text=text, language=language, words=(Weighted(text, 1.0),), meanings=(Weighted(text, 1.0),))
    return Question(
        text=text,
        language=detect_question(said[-1].text),
        words=_talk_words(turns, said),
        meanings=_talk_meanings(text, said),
        is_talk=True,
    )


def _turns(text: str) -> list[_Turn]:
    """The turns of a conversation; none unless the text begins with a speaker's name."""
    matches = list(_TURN.finditer(text))
    if not matches or matches[0].start() != 0:
        return []
    ends = [match.start() for match in matches[1:]] + [len(text)]
    turns = [
        _Turn((match["tag"] or match["name"]).strip(), text[match.end() : end].strip(_QUOTES))
        for match, end in zip(matches, ends, strict=True)
    ]
    return [turn for turn in turns if turn.text]


def _talk_words(turns: list[_Turn], said: list[_Turn]) -> tuple[Weighted, ...]:
    words = [Weighted(said[-1].speaker, 1.0)]
    for turn in turns:
        weight = 1.0 if turn is said[-1] else 0.1 if turn.is_machine else 0.5
        words.append(Weighted(turn.text, weight))
    return tuple(words)


def _talk_meanings(text: str, said: list[_Turn]) -> tuple[Weighted, ...]:
    told = f"{said[-1].speaker}: " + " ".join(turn.text for turn in said)
    return Weighted(told, 1.0), Weighted(text, 0.5), Weighted(said[-1].text, 0.5)
