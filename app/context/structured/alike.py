"""Whether texts mean a topic, where none says it: 上线 and "go live", "rent" and 房租 (X9.3).

The small model of the search says how near a text is to the topic. From which nearness on a text is about it was
measured on thirty topics in both languages, each with sentences about all the others (docs/questions.md): below that,
"nothing found" is the better answer. What tells a thing from others of its kind ("Project A", Q3, a name) has to stand
there anyway. Call it on the inference lane.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

import numpy as np

from app.context.question import read_question
from app.domain.errors import Expected
from app.govern.language import detect_question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.context.search import Found
    from app.context.semantics import Meaning, Semantics
    from app.context.structured.topic import Topic

_ENOUGH = {("en", "en"): 0.45, ("zh", "zh"): 0.45, ("en", "zh"): 0.48, ("zh", "en"): 0.44}
"""By the languages of topic and text: of other topics' sentences fewer than 1 in 200 are as near."""
_ENOUGH_ELSE = 0.48
_ENOUGH_FOR_TITLES = 0.74
"""Of two words with another two: an eye doctor is as near as 0.7 to a dentist."""
_ABOUT_AS_NEAR = 0.2
_NAME = re.compile(r"(?<=\s)[A-Z][a-z]{2,}|^[A-Z][a-z]{2,}(?=$|['’]s\b)")
_NAMED = re.compile(rf"(?:\b(?:with|of|from|to|at|for|by) )?(?:{_NAME.pattern})(?:['’]s\b)?")
_LATIN = re.compile("[A-Za-z]{2}")
_MOST, _LONGEST = 40, 400
_LEAST_LEFT = 4
_log = logging.getLogger(__name__)


def alike(topic: Topic, found: Found, texts: Sequence[str], *, are_titles: bool = False) -> list[bool]:
    """Which texts mean the topic; none of them without a model.

    Args:
        are_titles: a few words each, and no sentences.
    """
    if found.semantics is None or found.meaning is None:
        return [False] * len(texts)
    semantics = found.semantics
    places = [at for at, text in enumerate(texts) if text.strip() and _has_names(topic, text)][:_MOST]
    if not places:
        return [False] * len(texts)
    chosen = [texts[at][:_LONGEST] for at in places]
    try:
        vectors, meaning = semantics.embed(chosen), _meaning(topic, semantics, found.meaning)
    except Expected as problem:
        _log.warning("topics are compared by words alone: %s", problem.code)
        return [False] * len(texts)
    languages = [semantics.nearest(detect_question(text)) for text in chosen]
    near = np.zeros(len(chosen))
    for language in dict.fromkeys(languages):
        rows = [at for at, other in enumerate(languages) if other == language]
        enough = _ENOUGH_FOR_TITLES if are_titles else _ENOUGH.get((meaning.language, language), _ENOUGH_ELSE)
        near[rows] = semantics.scores(meaning, vectors[rows], language) - enough
    best = float(near.max())
    fits = {
        place: bool(score >= 0 and score >= best - _ABOUT_AS_NEAR) for place, score in zip(places, near, strict=True)
    }
    return [fits.get(at, False) for at in range(len(texts))]


def _meaning(topic: Topic, semantics: Semantics, whole: Meaning) -> Meaning:
    """What a topic means without whom it names, who have to be named anyway: Marcus's party is no trip with Marcus."""
    rest = " ".join(_NAMED.sub(" ", topic.text).split())
    if rest == topic.text or sum(sign.isalpha() for sign in rest) < _LEAST_LEFT:
        return whole
    return semantics.meaning(read_question(rest))


def _has_names(topic: Topic, text: str) -> bool:
    """Whether a text names what the topic names, as far as it is in the same letters: Rome is not meant by Paris."""
    if not topic.has_marks(text):
        return False
    names = _NAME.findall(topic.text)
    return not names or _LATIN.search(text) is None or any(name.casefold() in text.casefold() for name in names)
