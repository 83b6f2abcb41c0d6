"""Names in Latin, Greek and Cyrillic letters: of people, and of organisations and places that no list knows (L5.3).

A capitalised word inside a sentence that is no word of English is a name of somebody or something; so are given and
family names, and what follows words that announce a name. What everybody knows (Monday, Python) stays. A model of names
finds more in lower case; this works without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Finding, Kind
from app.policy.redaction.western_lists import western_lists

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_L = "A-Za-z\u00c0-\u024f\u1e00-\u1eff\u0370-\u03ff\u0400-\u04ff"
_TOKEN = re.compile(rf"(?<![{_L}0-9_@/\\.#-])(?>[{_L}]+(?:['-][{_L}]+){{0,4}})(?![0-9_@\\]|/[{_L}])")
_HAS_LETTERS = re.compile(f"[{_L}]{{2}}")
_CONTRACTION = re.compile(r"(?:'(?:s|m|t|d|re|ve|ll))\Z", re.IGNORECASE)
_NEGATION = re.compile(r"n't\Z", re.IGNORECASE)
_SENTENCE_ENDS = frozenset(".!?:;*>|•。！？：；\n")
_OPENING = frozenset(" \"'“([（\t")
_OPENING_WIDTH = 6
_PARTICLES = frozenset(
    {
        "van",
        "von",
        "der",
        "den",
        "de",
        "del",
        "della",
        "di",
        "da",
        "dos",
        "du",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "ibn",
        "y",
        "zu",
    }
)
_ABBREVIATED = re.compile(r"(?:[A-Z]|Dr|Mr|Mrs|Ms|St|Jr|Sr|Inc|Ltd|Corp|Co|Bros|Prof)\Z")
_CONNECTED = re.compile(r" | & |-")
_TITLE = re.compile(
    r"\b(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam|rev|fr|sr|hon|judge|officer|captain|capt|lt"
    r"|sgt|herr|frau|monsieur|madame|señora?|signora?)\.? ",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"(?:\b(?:(?:my|his|her|their|your|the|full|first|last|middle|maiden|sur|given|family|nick) ?name(?:'s"
    r"| is| was)?(?: called| spelled)?[:?]?|name ?[:=]|i am called|call me|(?:is|was|were|are|been|son"
    r"|daughter|man|woman|boy|girl|friend|someone) (?:named|called)|named|called"
    r"|this is|maybe it's under|(?:reservation|booked|reserved|table|it's|booking|account|listed"
    r"|registered) (?:is )?under|follow(?:ed)? up with|tribute to|directed by|written by|sung by|starring"
    r"|signed by|sincerely,?|regards,?|cheers,?|dear|says|assistant to"
    r"|contact|attn:?|attention:?|patient:?|client:?|customer:?|applicant:?|co-applicant:?|employee:?"
    r"|student:?|tenant:?|landlord:?|recipient:?|sender:?|beneficiary:?|cardholder:?|account holder:?"
    r"|spoke (?:to|with)|talked (?:to|with)|met with|married to|dating|unlike the)[ \n]{1,2}[\"'“]?)",
    re.IGNORECASE,
)
_SELF_WIDTH = 12
_SPEAKER = re.compile(
    rf"^[\"'“*]{{0,2}}(?P<v>[{_L}]{{2,20}}(?: [{_L}.]{{1,20}}){{0,2}})\*{{0,2}}: ?[\"“]", re.MULTILINE
)
_LISTED = re.compile(rf"\b[{_L}]{{2,20}}(?:, [{_L}]{{2,20}}){{1,12}},? (?:and|&) [{_L}]{{2,20}}\b")
_PAIR = re.compile(rf"\b(?P<a>[A-Z][{_L}]{{1,20}}) (?:and|&) (?P<b>[A-Z][{_L}]{{1,20}})\b")
_LOWER_ANNOUNCED = re.compile(
    rf"\b(?:my name is|my name's|name is|called|last name\?|first name\?|call me) (?P<v>[{_L}]{{2,20}})(?=[.,!?\n]|\Z)",
    re.IGNORECASE,
)
_PLACE_CUE = re.compile(
    rf"\b(?:moved (?:here )?(?:from|to)|(?:originally|come|came|comes) from|born in|grew up in|liv(?:e|es"
    rf"|ed|ing) in|based in|resid(?:e|es|ing) in|arriv(?:e|ed|es|ing) (?:at|in)|travel(?:l?ing|s|ed)? to"
    rf"|flying to|hometown(?: is|:)|where:) (?P<v>[{_L}][{_L}'-]{{1,24}}(?: [{_L}][{_L}'-]{{1,24}}){{0,3}})",
    re.IGNORECASE,
)
_ORG_CUE_BEFORE = re.compile(
    r"(?:\b(?:at|from|for|by|of|with|joined|join|and|to|the|during \d{4},|in|via|became|called|named|of the)|\A) \Z",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:i'm|i am|it's|it is|this is|here is|meet) \Z", re.IGNORECASE)
_DOUBLE = re.compile(rf"[A-Z][{_L}]{{2,24}}-[A-Z][{_L}]{{2,24}}")
_ARTICLES = frozenset({"the", "a", "an"})
_SHORTEST_UNKNOWN = 3
_SHORTEST_CAPITALS = 5
_LONGEST_NAME = 3
_PARTNERS = 3
_FEWEST_WORDS = 3
_SURE, _LIKELY, _POSSIBLE = 0.7, 0.5, 0.35


@dataclass(frozen=True, slots=True)
class _Token:
    """A word of the text; `base` is it in lower case without 's and the like, `next_mark` the character after it."""

    start: int
    end: int
    base: str
    is_capital: bool
    is_first: bool
    is_all_capitals: bool
    is_double: bool
    next_mark: str


def find_western_names(text: str) -> Iterator[Finding]:
    """Names of people, organisations and places; which of them is a guess."""
    if _HAS_LETTERS.search(text) is None:
        return
    tokens = _tokens(text)
    is_english = _is_english(tokens)
    announced = frozenset(found.end() for pattern in (_TITLE, _ANNOUNCED) for found in pattern.finditer(text))
    for chain in _chains(text, tokens):
        if is_english or chain[0].start in announced or any(_is_given(token) for token in chain):
            yield from _judge(text, chain, announced)
    yield from _speakers(text)
    yield from _lists_of_names(text)
    if not any(token.is_capital and not token.is_first for token in tokens):
        yield from _lower_case_names(text, tokens, is_english=is_english)
    yield from _announced_places(text)


def _is_english(tokens: Sequence[_Token]) -> bool:
    """Whether strange words are strange: in German every noun has a capital, and no French word is an English one."""
    lists = western_lists()
    small = [token.base for token in tokens if not (token.is_capital or _is_given(token)) and len(token.base) > 1]
    known = sum(lists.is_word(base) or base in lists.function_words for base in small)
    return len(small) < _FEWEST_WORDS or known * 3 >= len(small) * 2


def _is_given(token: _Token) -> bool:
    lists = western_lists()
    return token.base in (lists.given | lists.family) and token.base not in lists.ambiguous


def _tokens(text: str) -> list[_Token]:
    tokens = []
    for found in _TOKEN.finditer(text):
        word = found[0]
        if _NEGATION.search(word):
            continue
        short = _CONTRACTION.sub("", word)
        tokens.append(
            _Token(
                found.start(),
                found.start() + len(short),
                short.lower(),
                is_capital=word[0].isupper(),
                is_first=_is_first(text, found.start()),
                is_all_capitals=short.isupper() and len(short) > 1,
                is_double=_DOUBLE.fullmatch(short) is not None,
                next_mark=text[found.end() : found.end() + 1],
            )
        )
    return tokens


def _is_first(text: str, start: int) -> bool:
    """Whether a word opens a sentence, a line, a quotation or a list's item."""
    for index in range(start - 1, max(-1, start - _OPENING_WIDTH), -1):
        if text[index] in _SENTENCE_ENDS or text[index] in '"“([（':
            return True
        if text[index] not in _OPENING:
            return text[index] == "-" and text[index + 1] == " "
    return start < _OPENING_WIDTH


def _chains(text: str, tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    """Capitalised words in a row, with initials and particles between them."""
    chain: list[_Token] = []
    for index, token in enumerate(tokens):
        is_joined = bool(chain) and _is_joined(text, chain[-1], token)
        if chain and not (is_joined and (token.is_capital or _is_particle(token, tokens, index))):
            yield chain
            chain = []
        if token.is_capital or chain:
            chain.append(token)
    if chain:
        yield chain


def _is_joined(text: str, before: _Token, after: _Token) -> bool:
    gap = text[before.end : after.start]
    if gap == ". ":
        return _ABBREVIATED.match(text[before.start : before.end]) is not None
    return _CONNECTED.fullmatch(gap) is not None


def _is_particle(token: _Token, tokens: Sequence[_Token], index: int) -> bool:
    return token.base in _PARTICLES and index + 1 < len(tokens) and tokens[index + 1].is_capital


def _judge(text: str, chain: list[_Token], announced: frozenset[int]) -> Iterator[Finding]:
    """Whether a row of capitalised words is a name, and how much of it."""
    lists = western_lists()
    start = chain[0].start
    if start in announced or (len(chain) > 1 and _SELF.search(text, max(0, start - _SELF_WIDTH), start)):
        if chain[0].base not in lists.function_words and (len(chain) > 1 or chain[0].base not in lists.public):
            yield _finding(text, chain, Kind.PERSON, _SURE)
        return
    body = chain[1:] if chain[0].base in _ARTICLES else chain
    if len(body) > 1 and any(token.base in lists.companies for token in body[1:]):
        yield _finding(text, body, Kind.ORGANISATION, _LIKELY)
        return
    core = _core(chain)
    if core:
        is_person = any(token.base in lists.given or token.base in lists.family for token in core)
        yield _finding(text, core, Kind.PERSON if is_person else Kind.NAME, _LIKELY if is_person else _POSSIBLE)
    elif _is_titled_organisation(text, chain):
        yield _finding(text, body, Kind.ORGANISATION, _POSSIBLE)


def _core(chain: list[_Token]) -> list[_Token]:
    """The chain without the words at its ends that are only words."""
    lists = western_lists()
    evidence = [index for index, token in enumerate(chain) if _is_name(token, chain)]
    if not evidence:
        return []
    first, last = evidence[0], evidence[-1]
    while first > 0 and _may_precede(chain[first - 1]):
        first -= 1
    while last + 1 < len(chain) and chain[last + 1].base not in lists.public:
        last += 1
    if (
        first == last
        and chain[first].is_first
        and chain[first].base not in lists.given | lists.family
        and _is_cry(chain[first])
    ):
        return []
    return chain[first : last + 1]


def _is_name(token: _Token, chain: list[_Token]) -> bool:
    lists = western_lists()
    base = token.base
    if base in lists.public or not token.is_capital:
        return False
    if base in lists.ambiguous:
        return (
            len(chain) > 1
            and base in lists.given
            and any(_is_family(other.base) for other in chain if other is not token)
        )
    if base in lists.given or base in lists.family:
        return True
    if token.is_all_capitals and (len(base) < _SHORTEST_CAPITALS or token.is_first):
        return False
    return _is_unknown(base) or (token.is_double and not token.is_first)


def _is_han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def _is_family(base: str) -> bool:
    lists = western_lists()
    return base in lists.family or _is_unknown(base)


def _is_unknown(base: str) -> bool:
    """Whether no part of a word belongs to the language."""
    if len(base) < _SHORTEST_UNKNOWN:
        return False
    lists = western_lists()
    return not any(lists.is_word(part) for part in (base, *re.split(r"['-]", base)) if len(part) > 1)


def _is_cry(token: _Token) -> bool:
    """Whether a strange word that opens a sentence is set off like a cry or a heading."""
    return token.next_mark in {"!", "\u2014", "-", "?"}


def _may_precede(token: _Token) -> bool:
    """Words that belong to the name after them: names that are words as well, capitalised words inside a sentence."""
    lists = western_lists()
    if token.base in lists.public or token.base in lists.function_words:
        return False
    return token.base in lists.given or token.base in _PARTICLES or not token.is_first


def _is_titled_organisation(text: str, chain: list[_Token]) -> bool:
    """Words of the language, capitalised inside a sentence after a word like "at": a name made of words."""
    lists = western_lists()
    words = chain[1:] if chain[0].is_first else chain
    if (
        len(words) == 1
        or all(token.base in lists.public for token in words)
        or any(token.is_all_capitals for token in words)
    ):
        return False
    before, after = text[max(0, words[0].start - 16) : words[0].start], text[words[-1].end : words[-1].end + 3]
    return _ORG_CUE_BEFORE.search(before) is not None and re.match(r" [a-z]|[,.]|'s", after) is not None


def _finding(text: str, chain: Sequence[_Token], kind: Kind, weight: float) -> Finding:
    end = chain[-1].end
    if text[end : end + 1] == "." and _ABBREVIATED.match(text[chain[-1].start : end]):
        end += 1
    return Finding(chain[0].start, end, kind, weight)


def _speakers(text: str) -> Iterator[Finding]:
    """Who speaks in a dialogue."""
    lists = western_lists()
    for found in _SPEAKER.finditer(text):
        words = found["v"].lower().split()
        if not all(lists.is_word(word) for word in words) or all(word in lists.given for word in words):
            yield Finding(found.start("v"), found.end("v"), Kind.PERSON, _LIKELY)


def _lower_case_names(text: str, tokens: Sequence[_Token], *, is_english: bool) -> Iterator[Finding]:
    """In a text without capitals: given names with the strange words after them, and words of foreign letters."""
    lists = western_lists()
    skip = 0
    for index, token in enumerate(tokens):
        if index < skip:
            continue
        is_given = token.base in lists.given and token.base not in lists.ambiguous
        if not is_given and (not is_english or token.base.isascii() or not _is_unknown(token.base)):
            continue
        last = index
        while last + 1 < len(tokens) and last - index < _LONGEST_NAME and _follows(text, tokens, last):
            last += 1
        yield Finding(token.start, tokens[last].end, Kind.PERSON, _LIKELY if is_given else _POSSIBLE)
        skip = last + 1
    for found in _LOWER_ANNOUNCED.finditer(text):
        if found["v"].lower() not in lists.function_words and not found["v"].lower().endswith("ing"):
            yield Finding(found.start("v"), found.end("v"), Kind.PERSON, _LIKELY)


def _follows(text: str, tokens: Sequence[_Token], index: int) -> bool:
    """Whether the next word belongs to the name that this one is part of."""
    lists = western_lists()
    token, after = tokens[index], tokens[index + 1]
    if text[token.end : after.start] not in {" ", ". "}:
        return False
    if len(after.base) == 1:
        return index + 2 < len(tokens) and _is_family(tokens[index + 2].base)
    return (
        after.base in lists.family - lists.ambiguous
        or _is_unknown(after.base)
        or after.base in lists.given - lists.ambiguous
    )


def _lists_of_names(text: str) -> Iterator[Finding]:
    """Enumerations: most of them are names, so all are; and firms of the kind X, Y and Z."""
    lists = western_lists()
    for found in _LISTED.finditer(text):
        parts = [part for part in re.split(r", and |, & |, | and | & ", found[0]) if part]
        bases = [part.lower() for part in parts]
        known = [base in lists.given or base in lists.family or _is_unknown(base) for base in bases]
        if any(base in lists.function_words for base in bases) or sum(known) * 3 < len(known) * 2:
            continue
        if len(parts) == _PARTNERS and not any(base in lists.given - lists.family for base in bases):
            yield Finding(found.start(), found.end(), Kind.ORGANISATION, _LIKELY)
            continue
        place = found.start()
        for part in parts:
            place = text.index(part, place)
            yield Finding(place, place + len(part), Kind.PERSON, _LIKELY)
            place += len(part)
    for found in _PAIR.finditer(text):
        pair = (found["a"].lower(), found["b"].lower())
        names = [base in lists.given or base in lists.family or _is_unknown(base) for base in pair]
        if all(names) and not any(base in lists.public or base in lists.function_words for base in pair):
            yield Finding(*found.span("a"), Kind.PERSON, _POSSIBLE)
            yield Finding(*found.span("b"), Kind.PERSON, _POSSIBLE)


def _announced_places(text: str) -> Iterator[Finding]:
    """Strange or capitalised words where a place is announced."""
    lists = western_lists()
    for found in _PLACE_CUE.finditer(text):
        end = found.start("v")
        for token in _TOKEN.finditer(text, found.start("v"), found.end("v")):
            base = token[0].lower()
            if base in lists.public or base in lists.function_words or not (_is_unknown(base) or token[0][0].isupper()):
                break
            end = token.end()
        yield Finding(found.start("v"), end, Kind.PLACE, _POSSIBLE)
