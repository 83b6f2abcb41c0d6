"""The lists of Western names, from resources/redaction/western.toml and words.txt, read when first needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from app.policy.redaction.phrases import Phrases
from app.runtime.paths import resource, resource_table

_SUFFIXES = (
    "ing",
    "ed",
    "ly",
    "tion",
    "tions",
    "sion",
    "ness",
    "ment",
    "ments",
    "ology",
    "able",
    "ible",
    "ical",
    "ism",
    "ists",
    "ize",
    "ise",
    "ful",
    "less",
    "ship",
    "ward",
    "wards",
    "'s",
    "ity",
    "ous",
    "ance",
    "ence",
)
_SHORTEST_STEM = 4


@dataclass(frozen=True, slots=True)
class WesternLists:
    """See the table.

    Attributes:
        places: countries, cities, regions and peoples, labelled so.
    given, family: parts of names, in lower case.
        ambiguous: those of them that are words as well.
        words: English words in use.
        public: names of things that expose nobody, and of languages.
    companies: words in the names of firms.
    function_words: words that never name anybody.
    """

    given: frozenset[str]
    family: frozenset[str]
    ambiguous: frozenset[str]
    words: frozenset[str]
    public: frozenset[str]
    places: Phrases[str]
    companies: frozenset[str]
    function_words: frozenset[str]

    def is_word(self, word: str) -> bool:
        """Whether a word, in lower case, belongs to the language rather than to a person."""
        if word in self.words or word in self.public:
            return True
        return any(word.endswith(end) and len(word) - len(end) >= _SHORTEST_STEM for end in _SUFFIXES)


@cache
def western_lists() -> WesternLists:
    """Read the tables."""
    table = resource_table("redaction", "western.toml")
    people, places, organisations = table["people"], table["places"], table["organisations"]
    given, family = frozenset(people["given"].split()), frozenset(people["family"].split())
    ambiguous = frozenset(people["words"].split())
    lines = resource("redaction", "words.txt").read_text(encoding="utf-8").splitlines()
    words = frozenset(line for line in lines if not line.startswith("#")) | frozenset(table["words"]["modern"].split())
    return WesternLists(
        given=given,
        family=family,
        ambiguous=ambiguous,
        words=(words - (given | family)) | ambiguous,
        public=frozenset(organisations["public"].split()) | frozenset(places["peoples"].replace("\n", "|").split("|")),
        places=Phrases((phrase, label) for label, listed in places.items() for phrase in _phrases(listed)),
        companies=frozenset(organisations["companies"].split()),
        function_words=frozenset(table["words"]["function"].split()),
    )


def _phrases(listed: str) -> list[str]:
    return [phrase.strip() for phrase in listed.replace("\n", "|").split("|") if phrase.strip()]
