"""Tells by its form that a sentence which speaks of an action does not ask for it.

To the vectors of meaning, "don't cancel the meeting", "how do I cancel a meeting?", "I already cancelled it" and
"if Tom cancels, move it" are much the same as "cancel the meeting". What looks so is not acted on without asking. These
rules never choose an intent; they only take certainty away: one that is too broad costs a question, nothing else.
"""

from __future__ import annotations

import re

_LOOKED_AT = 400
_BEFORE = r"^(?:\W|(?:so|and|but|hey|ok|okay|olly|famulus|please|no|well|oh)\b){0,8}"
_BEFORE_ZH = r"^(?:\W|请问|请|麻烦|那就|那|你|先|暂时|千万|可|我|该|应该){0,8}"
_FORMS = (
    # negated: but "don't forget", "don't remind me" and "don't keep that" are wishes as they stand
    re.compile(
        _BEFORE + r"(?:don['’]?t|do not|never|let['’]?s not|not)\b"
        r"(?!\s+(?:let me\s+)?(?:forget|need|want|remind|keep|allow)\b)",
        re.IGNORECASE,
    ),
    re.compile(_BEFORE_ZH + r"(?:别|不要|勿|甭|不许|不准)(?!让我忘|忘|再?提醒|再?记|把这个留)"),
    # asked about: but "can you" and "would you" are polite
    re.compile(
        _BEFORE
        + r"(?:did|have (?:i|you|we|they)|has|had|was|were|is|are|does|do (?:i|we|they)|should|shall|why|how|who|where"
        + r"|what)\b",
        re.IGNORECASE,
    ),
    re.compile(_BEFORE_ZH + r"(?:怎么|如何|怎样|为什么|为啥|谁|要不要|该不该|是不是|有没有|是否)"),
    re.compile(r"(?:(?:了|过)(?:吗|没有?|么)|要不要.{0,40}|是不是.{0,40})[?？。!！\s呢啊]{0,4}$"),
    # told of: but "I already did it, tick it off" asks after the comma
    re.compile(
        _BEFORE
        + r"(?:i|we|he|she|they|you|my \w{1,20}|\w{1,20})\s+(?:(?:have|has|had)\s+)?"
        + r"(?:already|just|said|says|told|was going|were going|would|wanted)\b[^,;]*$",
        re.IGNORECASE,
    ),
    re.compile(r"^[^，,；;]{0,12}(?:已经|刚刚|刚才|早就|说过?[他她会要想])[^，,；;]*$"),
    # supposed
    re.compile(_BEFORE + r"(?:if|unless|in case|suppose|imagine)\b", re.IGNORECASE),
    re.compile(_BEFORE_ZH + r"(?:如果|要是|假如|假设|万一|除非)"),
)


def is_doubtful(text: str) -> bool:
    """Whether a text looks like one that speaks of an action without asking for it."""
    looked_at = text[:_LOOKED_AT]
    return any(form.search(looked_at) is not None for form in _FORMS)
