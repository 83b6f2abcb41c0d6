"""Whether a text is about what a question names, by its words alone: no likeness, and no guess.

Words count alike, by their stems; Chinese ones by their bigrams. A letter or number that tells one thing from another
of its kind ("Project A", Q3, 3号楼) has to stand there too.
"""

from __future__ import annotations

import re
import unicodedata

from app.govern.people.keys import project_key
from app.govern.people.lists import name_lists
from app.store.analyser import analyse, query_terms
from app.store.name_keys import name_key

_ON_TOPIC, _NAMED = 0.6, 0.5
_MARK = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z]|[A-Z]{0,2}\d{1,4})(?![A-Za-z0-9])")
_LETTERED = re.compile(
    r"(?:(?i:\bprojects?\s{1,2})|项目\s?)[A-Z]?\d{0,3}(?![A-Za-z0-9])(?<=[A-Z0-9])|(?<![A-Za-z0-9])[A-Z]\d{0,2}项目"
)
_MONTHS = frozenset({"may", "april", "june", "august"})
_LONGEST = 4_000
"""Characters of a text that are looked at."""


class Topic:
    """The topic of a question."""

    def __init__(self, text: str) -> None:
        plain = unicodedata.normalize("NFKC", text)
        self.text = text
        self._weights = {term.term: term.weight for term in query_terms(plain)}
        self._total = sum(self._weights.values())
        self._marks = frozenset(_MARK.findall(plain))
        self._project = _project_pattern(plain)
        word = plain.strip().casefold()
        # what is called May is written so, and stands in no date
        self._name = re.compile(rf"(?<!\d )\b{word.title()}\b(?!,? ?\d)") if word in _MONTHS else None

    def share(self, text: str) -> float:
        """How much of the topic a text says, 0..1; 0 where a distinguishing mark is missing."""
        plain = unicodedata.normalize("NFKC", text[:_LONGEST])
        if self._project is not None and self._project.search(plain) is not None:
            return 1.0
        if self._name is not None:
            return 1.0 if self._name.search(plain) is not None else 0.0
        if self._total <= 0 or not self._marks <= frozenset(_MARK.findall(plain)):
            return 0.0
        said = analyse(plain)
        return sum(weight for term, weight in self._weights.items() if term in said) / self._total

    def is_in(self, *texts: str) -> bool:
        """Whether texts say most of the topic between them."""
        return self.share("\n".join(texts)) >= _ON_TOPIC

    def has_marks(self, text: str) -> bool:
        """Whether what tells the topic from others of its kind stands in a text, whatever else it says."""
        plain = unicodedata.normalize("NFKC", text[:_LONGEST])
        # a project that has a name of its own may be called otherwise, one that has a letter may not
        if self._project is not None and _LETTERED.search(unicodedata.normalize("NFKC", self.text)) is not None:
            return self._project.search(plain) is not None
        return self._name is None and self._marks <= frozenset(_MARK.findall(plain))

    def names(self, title: str) -> float:
        """How well a title says what the topic names, 0..1; 0 for something else.

        Half of the topic is enough for a title that says nothing else: "Project kick-off", of "the kick-off meeting".
        """
        share = self.share(title)
        if share >= _ON_TOPIC:
            return share
        is_whole = {term.term for term in query_terms(title)} <= self._weights.keys()
        return share if share >= _NAMED and is_whole else 0.0


def named_project(question: str) -> re.Pattern[str] | None:
    """The project with a one-letter or numbered name that a question asks about; a text about another is no answer."""
    match = _LETTERED.search(unicodedata.normalize("NFKC", question))
    return None if match is None else _project_pattern(match[0])


def _project_pattern(topic: str) -> re.Pattern[str] | None:
    """How a project that is the whole topic is called in either language: Project A, 项目A, A项目; None for others."""
    key = project_key(topic)
    if not key or key == name_key(topic):
        return None
    lists = name_lists()
    before = "|".join(map(re.escape, (*sorted(lists.project_words), *lists.chinese_project_words)))
    behind = "|".join(map(re.escape, lists.chinese_project_words))
    name = rf"(?<![A-Za-z0-9]){re.escape(key)}(?![A-Za-z0-9])"
    return re.compile(rf"(?:{before})\s{{0,2}}{name}|{name}\s{{0,2}}(?:{behind}|project)", re.IGNORECASE)
