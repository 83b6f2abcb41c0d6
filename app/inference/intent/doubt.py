"""Tells by its form that a sentence which speaks of an action does not ask for it.

To the vectors of meaning, "don't cancel the meeting", "how do I cancel a meeting?", "I already cancelled it" and
"if Tom cancels, move it" are much the same as "cancel the meeting". What looks so is not acted on without asking. These
rules never choose an intent; they only take certainty away: one that is too broad costs a question, nothing else.
"""

from __future__ import annotations

import re

_LOOKED_AT = 400
_BEFORE = r"^(?:\W|(?:so|and|but|hey|ok|okay|olly|famulus|please|no|well|oh|great|nice|wow|ugh)\b){0,8}"
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
    # stated of others or of things: a wish begins with its verb, or with "I need" and the like
    re.compile(
        _BEFORE
        + r"(?:he|she|they|it|we|the|my|our|his|her|their|this|that|these|a|an|another)\b[^,;]{0,120}?"
        + r"\b(?:\w{2,20}ed|was|were|has|had|been|sent|woke|got|made|took|told|said|asks?|wants?|thinks?|says?)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"^[A-Z][\w'-]{1,20}\s+"
        r"(?:wants?|asks?|asked|says?|said|thinks?|thought|told|tells|is|was|has|had|will|would|might)\b"
    ),
    re.compile(
        r"^(?:他们?|她们?|它|老板|领导|同事|客户|妈妈|爸爸|老婆|老公|[小老阿][\u4e00-\u9fff])(?:也|又|还|已经|刚)?"
        r"(?:把|让|叫|说|想|要|会|希望|打算|取消|推迟|改|删|发)"
    ),
    re.compile(
        r"^(?!把|帮|请|给|将|麻烦|你|您|就|都|先|再|取消|删|改|移|挪|推|发|记|加|添|设|定|提醒|忘|清|归|存|撤|算|不|别"
        r"|我要|我想|我买|我做|我完)"
        r"[^，,；;。！？]{1,24}(?<!做完)(?<!搞定)(?<!办好)(?<!完成)(?<!结束)(?<!买好)了[。.!！\s]{0,3}$"
    ),
    # quoted, or weighed
    re.compile(r"^\s*[\"“”「『‘]"),
    re.compile(
        _BEFORE + r"(?:i (?:should|would|could|might|may) (?:probably|never|maybe|rather)|maybe|perhaps)\b",
        re.IGNORECASE,
    ),
    re.compile(_BEFORE_ZH + r"(?:也许|或许|可能|说不定|大概)"),
    # told to be somebody else, or to do it to all there is: nobody is served by haste
    re.compile(
        r"\b(?:ignore|disregard|forget)\b.{0,30}\b(?:rules?|instructions?|prompts?|previous|above)\b", re.IGNORECASE
    ),
    re.compile(r"\byou are now\b|^\s*(?:system|assistant|developer)\s*[:：]", re.IGNORECASE),
    re.compile(r"(?:忽略|无视|忘记).{0,12}(?:指令|规则|提示|设定|要求)"),
    re.compile(
        r"\b(?:delete|cancel|remove|wipe|clear|erase|archive|forget|drop|send)\b.{0,40}\b(?:everything|all|every|each|everybody|everyone)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:删除?|清空|清除|取消|忘掉?|归档|抹掉).{0,12}(?:全部|所有|一切)|(?:全部|所有|一切).{0,16}(?:删|清空|清除|取消|忘|归档)|清空"
    ),
    # supposed
    re.compile(_BEFORE + r"(?:if|unless|in case|suppose|imagine)\b", re.IGNORECASE),
    re.compile(_BEFORE_ZH + r"(?:如果|要是|假如|假设|万一|除非)"),
)


def is_doubtful(text: str) -> bool:
    """Whether a text looks like one that speaks of an action without asking for it."""
    looked_at = text[:_LOOKED_AT]
    return any(form.search(looked_at) is not None for form in _FORMS)
