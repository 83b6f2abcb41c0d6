"""Whether two texts that a model finds much alike say the same (G2.1, L2.3).

No cosine separates a paraphrase from a contradiction: "I prefer tea" and "I prefer coffee" are as alike as two texts
can be. So likeness (`app.inference.calibration`, from `NEAR_DUPLICATE` on) makes a candidate only, and then the texts
are compared in what likeness does not see:

    numbers          digits, number words and Chinese numerals; times of day
    days             weekdays, months, "tomorrow", 上午
    negation         an odd number of "not", "never", 不, 没 on one side alone
    opposites        like and hate, before and after, 开 and 关 (resources/rules/opposites.toml)
    names            capitalised words of which each side has its own
    other words      one, where all else is the same: tea and coffee, 红 and 蓝; or many words of meaning

Any difference means that they are not the same. It errs on that side: a text kept twice costs a line, and a text lost
costs a fact. This is about short texts (sentences, memories, small passages); it finds nothing, and it does not decide
which of two contrary texts is true.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LONGEST = 400
"""Characters; of longer texts only equal ones are the same, since a single changed word is easily lost in them."""

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|%", re.UNICODE)
_HAN = re.compile(r"[㐀-鿿]")
_NUMERALS = frozenset("零〇一二两三四五六七八九十百千万亿")
_CHINESE_NUMBER = re.compile(r"[零〇一二两三四五六七八九十百千万亿]+")
_NAME = re.compile(r"(?<![.!?\n])(?<!^)(?:(?<=\s)|(?<=[(\"“]))[A-ZÀ-Þ][^\W\d_]+")
_LATIN_OR_SIGN = re.compile(r"[a-z]{1,40}|.", re.DOTALL)
_LABEL = re.compile(r"(?<=[^\W_] )[A-HJ-Z](?![\w'’.])")
"""A letter that tells one room, team or plan from another."""
_SAME_FRAME = 0.6
_SHARED_WORDS, _SHARED_SIGNS = 0.6, 0.8
"""Of words; of Han characters, of which two unrelated texts share more."""
_LATIN_WORD = re.compile(r"[^\W\d_㐀-鿿]+")
_UNCOUNTED = 3
"""Words by which a first look may be wrong: contractions, mostly."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[。！？；\n]+")
_MOST_SENTENCES, _MOST_CHANGES = 400, 12
_SUFFIXES = ("ing", "ed", "es", "s")


class Difference(StrEnum):
    """Why two texts are not the same."""

    LENGTH = "length"
    NUMBERS = "numbers"
    DAYS = "days"
    NEGATION = "negation"
    OPPOSITES = "opposites"
    NAMES = "names"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """resources/rules/opposites.toml, turned round for looking up."""

    numbers: Mapping[str, int]
    days: Mapping[str, str]
    negations: frozenset[str]
    chinese_negations: re.Pattern[str]
    not_negations: re.Pattern[str]
    opposites: Sequence[tuple[frozenset[str], frozenset[str]]]
    synonyms: Mapping[str, str]
    function_words: frozenset[str]


def difference(one: str, other: str) -> Difference | None:
    """What two much alike texts say differently; None where they say the same.

    It is the same both ways round, and takes half a millisecond for a sentence and 5 ms for the longest Chinese text.
    """
    first, second = _folded(one), _folded(other)
    if first == second:
        return None
    if max(len(first), len(second)) > LONGEST:
        return Difference.LENGTH
    found = _in_words(first, second, vocabulary())
    if found is not None:
        return found
    return Difference.NAMES if _have_other_names(one, other) else None


def surely_differ(one: str, other: str) -> bool:
    """Whether two texts have too many words of their own to say the same; a hundred times quicker than `difference`.

    Never true where `difference` finds none; false says nothing.
    """
    first, second = _folded(one), _folded(other)
    if first == second:
        return False
    if max(len(first), len(second)) > LONGEST:
        return True
    mine, theirs = _marks(first), _marks(second)
    allowed = (1 - min(_SHARED_SIGNS, _SHARED_WORDS)) * max(len(mine), len(theirs))
    return max(len(mine - theirs), len(theirs - mine)) - _UNCOUNTED > allowed


def difference_of_texts(one: str, other: str) -> Difference | None:
    """The same for texts of any length, sentence by sentence: a sentence that only one of them has is a difference.

    Linear in the number of sentences; some milliseconds for a page.
    """
    if max(len(one), len(other)) <= LONGEST:
        return difference(one, other)
    mine, theirs = _sentences(one), _sentences(other)
    matcher = SequenceMatcher(None, [_bare(text) for text in mine], [_bare(text) for text in theirs], autojunk=False)
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    if len(mine) > _MOST_SENTENCES or len(theirs) > _MOST_SENTENCES or len(changes) > _MOST_CHANGES:
        return Difference.LENGTH
    for _, start, end, begin, stop in changes:
        left, right = " ".join(mine[start:end]), " ".join(theirs[begin:stop])
        if bool(_bare(left)) != bool(_bare(right)):
            return Difference.WORDS
        found = difference(left, right)
        if found is not None:
            return found
    return None


def _marks(folded: str) -> set[str]:
    """The words of meaning and the Han characters of a folded text, roughly: each once, a word by its beginning."""
    known = vocabulary()
    words = [_stem(word, known)[:3] for word in _LATIN_WORD.findall(folded) if word not in known.function_words]
    signs = {known.synonyms.get(sign, sign) for sign in set(folded) if "㐀" <= sign <= "鿿"}
    return signs.difference(known.function_words, _NUMERALS).union(words)


def _sentences(text: str) -> list[str]:
    return [part for part in (piece.strip() for piece in _SENTENCE_END.split(text)) if part][: _MOST_SENTENCES + 1]


def _bare(text: str) -> str:
    """A sentence without what is no letter and no digit."""
    return "".join(sign for sign in _folded(text) if sign.isalnum())


def _in_words(first: str, second: str, known: _Vocabulary) -> Difference | None:
    """The first difference that folded texts show."""
    mine, theirs = _tokens(first, known), _tokens(second, known)
    if _numbers(mine, known) != _numbers(theirs, known):
        return Difference.NUMBERS
    if _days(first, mine, known) != _days(second, theirs, known):
        return Difference.DAYS
    if _negations(first, mine, known) % 2 != _negations(second, theirs, known) % 2:
        return Difference.NEGATION
    if _is_opposite(first, second, set(mine), set(theirs), known):
        return Difference.OPPOSITES
    return Difference.WORDS if _differ_in_a_word(mine, theirs, known) else None


def says_the_same(one: str, other: str, likeness: float, *, enough: float) -> bool:
    """Whether two texts are near-duplicates.

    Args:
        likeness: of their vectors, 0..1 on the calibrated scale.
        enough: from which likeness on two texts are candidates (`NEAR_DUPLICATE`).
    """
    return likeness >= enough and difference(one, other) is None


@cache
def vocabulary() -> _Vocabulary:
    """The word lists, read once."""
    tables = resource_table("rules", "opposites.toml")
    pairs = [(frozenset(one.split()), frozenset(other.split())) for one, other in tables["opposites"]["pairs"]]
    return _Vocabulary(
        numbers={word: number for number, words in enumerate(tables["numbers"]["words"]) for word in words.split()},
        days={word: words.split()[0] for words in tables["days"]["words"] for word in words.split()},
        negations=frozenset(tables["negation"]["english"].split()),
        chinese_negations=re.compile("|".join(map(re.escape, tables["negation"]["chinese"].split()))),
        not_negations=re.compile("|".join(map(re.escape, tables["negation"]["chinese_but_not"].split()))),
        opposites=pairs,
        synonyms={word: words.split()[0] for words in tables["synonyms"]["words"] for word in words.split()},
        function_words=frozenset(tables["function_words"]["english"].split())
        | frozenset(tables["function_words"]["chinese"].replace(" ", "")),
    )


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").split())


def _tokens(text: str, known: _Vocabulary) -> list[str]:
    """Words, numbers, and Han characters one by one; "n't" becomes a "not" of its own."""
    tokens: list[str] = []
    for match in _TOKEN.finditer(text):
        word = match[0]
        if _HAN.search(word):
            tokens += _han_tokens(word)
        elif word.endswith("n't") or word == "cannot":
            tokens += [known.synonyms.get(word[:-3], word[:-3]), "not"]
        else:
            tokens.append(word.removesuffix("'s"))
    return [token for token in tokens if token]


def _han_tokens(word: str) -> Iterable[str]:
    """A numeral is one token, as digits; every other character is one."""
    at = 0
    for match in _CHINESE_NUMBER.finditer(word):
        yield from _signs(word[at : match.start()])
        yield str(_chinese_value(match[0]))
        at = match.end()
    yield from _signs(word[at:])


def _signs(text: str) -> Iterable[str]:
    """Character by character, but Latin letters together: 会议室A names a room, and is no article."""
    return (f"{match[0]}." if match[0].isascii() else match[0] for match in _LATIN_OR_SIGN.finditer(text))


def _chinese_value(numeral: str) -> int:
    """The value of a numeral; digits in a row ("二〇二五") are read one after the other."""
    digits = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
    units = {"十": 10, "百": 100, "千": 1000}
    if not set(numeral) & {"十", "百", "千", "万", "亿"}:
        return int("".join(str(digits[sign]) for sign in numeral[:15]))
    total = section = digit = 0
    for sign in numeral[:15]:
        if sign in digits:
            digit = digits[sign]
        elif sign in units:
            section, digit = section + (digit or 1) * units[sign], 0
        else:
            total, section, digit = (total + section + digit) * (10_000 if sign == "万" else 100_000_000), 0, 0
    return total + section + digit


def _numbers(tokens: Sequence[str], known: _Vocabulary) -> Counter[str]:
    found: Counter[str] = Counter()
    for token in tokens:
        if token[0].isdigit():
            found[token.replace(",", "").removesuffix(":00").removesuffix(".0").lstrip("0") or "0"] += 1
        elif token in known.numbers:
            found[str(known.numbers[token])] += 1
    # "one" is an article as often as a number
    del found["1"]
    return found


def _days(text: str, tokens: Sequence[str], known: _Vocabulary) -> set[str]:
    return {day for word, day in known.days.items() if (word in text if _HAN.search(word) else word in tokens)}


def _negations(text: str, tokens: Sequence[str], known: _Vocabulary) -> int:
    chinese = known.not_negations.sub("", text)
    return sum(token in known.negations for token in tokens) + len(known.chinese_negations.findall(chinese))


def _is_opposite(one: str, other: str, mine: set[str], theirs: set[str], known: _Vocabulary) -> bool:
    def has(text: str, tokens: set[str], words: frozenset[str]) -> bool:
        return any(word in text if _HAN.search(word) else word in tokens for word in words)

    for left, right in known.opposites:
        sides = [(has(text, tokens, left), has(text, tokens, right)) for text, tokens in ((one, mine), (other, theirs))]
        if sides in ([(True, False), (False, True)], [(False, True), (True, False)]):
            return True
    return False


def _have_other_names(one: str, other: str) -> bool:
    """Whether each side names somebody or something that the other one does not."""
    mine, theirs = set(_NAME.findall(one)), set(_NAME.findall(other))
    labels, others = set(_LABEL.findall(one)), set(_LABEL.findall(other))
    if labels - others and others - labels:
        return True
    unknown = [name for name in mine - theirs if not _holds(other, name)]
    return bool(unknown) and any(not _holds(one, name) for name in theirs - mine)


def _holds(text: str, name: str) -> bool:
    return name.casefold() in text.casefold()


def _differ_in_a_word(mine: Sequence[str], theirs: Sequence[str], known: _Vocabulary) -> bool:
    """Whether few words are shared, or the texts are built alike and have other words in the same place."""
    one, other = [_stem(token, known) for token in mine], [_stem(token, known) for token in theirs]
    is_chinese = any(_HAN.match(word) for word in one)
    if _shared(one, other, known) < (_SHARED_SIGNS if is_chinese else _SHARED_WORDS):
        return True
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    blocks = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    same = sum(size for _, _, size in matcher.get_matching_blocks())
    if same < _SAME_FRAME * max(len(one), len(other), 1):
        return False
    elsewhere = Counter(one), Counter(other)
    for kind, start, end, begin, stop in blocks:
        if kind != "replace":
            continue
        left = [word for word in one[start:end] if _has_meaning(word, known) and not elsewhere[1][word]]
        right = [word for word in other[begin:stop] if _has_meaning(word, known) and not elsewhere[0][word]]
        if left and right:
            return True
    return False


def _shared(one: Sequence[str], other: Sequence[str], known: _Vocabulary) -> float:
    """The share of the words of meaning that both texts hold, of the longer one's."""
    mine, theirs = ({word for word in words if _has_meaning(word, known)} for words in (one, other))
    longer = max(len(mine), len(theirs))
    return len(mine & theirs) / longer if longer else 1.0


def _has_meaning(word: str, known: _Vocabulary) -> bool:
    return word not in known.function_words and not word[0].isdigit()


def _stem(word: str, known: _Vocabulary) -> str:
    if word in known.synonyms:
        return known.synonyms[word]
    if not word.isascii():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:  # noqa: PLR2004 - letters of a stem
            word = word.removesuffix(suffix)
            break
    return known.synonyms.get(word, word)
