"""By what organisations, projects and places are the same: their names without what says nothing (G2.4).

organisation_key("Acme Inc."), "ACME GmbH"           acme
organisation_key("北京示例科技有限公司"), "示例科技"    示例科技
project_key("Project A"), "项目A", "A项目"            a
"""

from __future__ import annotations

import re
from functools import lru_cache

from app.govern.people.lists import name_lists
from app.store.name_keys import name_key

_WORDS = re.compile(r"[^\s.,;:()（）&·]+")
_LEAST_LEFT = 2
_QUOTES = " \"'“”‘’「」《》-—_:："


@lru_cache(maxsize=4096)
def organisation_key(text: str) -> str:
    """The key of an organisation's name; empty for none."""
    lists = name_lists()
    words = _WORDS.findall(name_key(text))
    while len(words) > 1 and (words[-1] in lists.suffixes or (len(words[-1]) == 1 and words[-1].isascii())):
        words.pop()
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    plain = " ".join(words)
    for suffix in lists.chinese_suffixes:
        if plain.endswith(suffix) and len(plain) - len(suffix) >= _LEAST_LEFT:
            plain = plain.removesuffix(suffix)
            for place in lists.chinese_places:
                if plain.startswith(place) and len(plain) - len(place) >= _LEAST_LEFT:
                    return plain.removeprefix(place)
            break
    return plain


@lru_cache(maxsize=4096)
def project_key(text: str) -> str:
    """The key of a project's name; the name itself where nothing but the word for a project would go."""
    lists = name_lists()
    whole = name_key(text).strip(_QUOTES)
    plain = " ".join(word for word in whole.split() if word not in lists.project_words)
    for word in lists.chinese_project_words:
        if plain.startswith(word) and len(plain) > len(word):
            plain = plain.removeprefix(word)
            break
        if plain.endswith(word) and len(plain) > len(word):
            plain = plain.removesuffix(word)
            break
    plain = plain.strip(_QUOTES)
    return plain.removeprefix("the ") or whole
