"""Words for generated texts, English and Chinese, by how often they are used (Zipf).

The frequent ones are real (words.toml). The long tail is made of syllables and of character pairs: names, projects,
places that somebody's files are full of and no dictionary knows.
"""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TAIL = 20_000
_CHARACTERS = (
    "安白北才昌成川达德东恩方峰福光国海涵杭和恒宏华惠吉嘉江金静俊康兰乐丽林龙鲁美明南宁诺平奇启千青庆仁荣瑞山盛"
    "思泰天婷万伟文武西希贤祥晓心新兴旭雅阳耀一义永宇玉源云泽展哲正志中卓子"
)
_STARTS = ("b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "br", "cr", "dr", "gr", "st")
_MIDDLES = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
_ENDS = ("", "", "n", "r", "l", "s", "m", "ck", "nd")


@dataclass(frozen=True)
class Words:
    """Words of one language, each list by falling frequency."""

    nouns: list[str]
    verbs: list[str]
    adjectives: list[str]

    def noun(self, rng: random.Random) -> str:
        """One noun; the r-th in frequency has a weight of 1/r, as in any language."""
        return self.nouns[int(len(self.nouns) ** rng.random()) - 1]

    def verb(self, rng: random.Random) -> str:
        return self.verbs[int(len(self.verbs) ** rng.random()) - 1]

    def adjective(self, rng: random.Random) -> str:
        return self.adjectives[int(len(self.adjectives) ** rng.random()) - 1]


@cache
def words(language: str) -> Words:
    """The vocabulary of "en" or "zh"; always the same."""
    rng = random.Random(f"vocabulary {language}")
    frequent = {
        kind: text.split()
        for kind, text in tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))[language].items()
    }
    tail = _distinct(rng, _character_word if language == "zh" else _syllable_word)
    return Words(frequent["nouns"] + tail, frequent["verbs"], frequent["adjectives"])


def _distinct(rng: random.Random, make: Callable[[random.Random], str]) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < TAIL:
        found[make(rng)] = None
    return list(found)


def _syllable_word(rng: random.Random) -> str:
    syllables = [rng.choice(_STARTS) + rng.choice(_MIDDLES) + rng.choice(_ENDS) for _ in range(rng.choice((2, 2, 3)))]
    return "".join(syllables).capitalize()


def _character_word(rng: random.Random) -> str:
    return "".join(rng.choice(_CHARACTERS) for _ in range(rng.choice((2, 2, 3))))
