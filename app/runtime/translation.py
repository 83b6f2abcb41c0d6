"""Turns the core's sentences into the person's language, by gettext catalogues in resources/locale.

Only shells call this. English needs no catalogue; a sentence without a translation is shown in English.
"""

from __future__ import annotations

import gettext
import re
import sys
from typing import TYPE_CHECKING

from app.domain.text import Text
from app.runtime import environment
from app.runtime.paths import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

ENGLISH = "en"
CHINESE = "zh_CN"
LANGUAGES = (ENGLISH, CHINESE)
_DOMAIN = "famulus"
_PLACE = re.compile(r"(\{\w+\})")
_CHINESE_SIGN = re.compile(r"[\u2018-\u201d\u2026\u3001-\u30ff\u3400-\u9fff\uff01-\uffee]")


class _Current:
    """The language of this process: a shell sets it once, before it shows anything."""

    language = ENGLISH
    catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(wanted: str) -> str:
    """Show everything in `wanted` (`en`, `zh_CN`, or `auto` for the system's) from now on; returns what was chosen."""
    language = wanted if wanted in LANGUAGES else closest(system_languages())
    _Current.language = language
    _Current.catalogue = gettext.NullTranslations()
    if language != ENGLISH:
        _Current.catalogue = gettext.translation(_DOMAIN, str(resource("locale")), [language], fallback=True)
    return language


def language() -> str:
    """The language in use."""
    return _Current.language


def translate(text: Text | str) -> str:
    """A sentence in the language in use, its values filled in; a value that is itself a sentence is translated too."""
    return _translated(text, _Current.catalogue)


def translator(wanted: str) -> tuple[str, Callable[[Text | str], str]]:
    """A language and how to translate into it, as `use_language` chooses it, whatever language is in use here.

    For what is written once and kept, in a process that shows nothing itself.
    """
    chosen = wanted if wanted in LANGUAGES else closest(system_languages())
    catalogue = gettext.NullTranslations()
    if chosen != ENGLISH:
        catalogue = gettext.translation(_DOMAIN, str(resource("locale")), [chosen], fallback=True)
    return chosen, lambda text: _translated(text, catalogue)


def closest(wanted: Iterable[str]) -> str:
    """The first of our languages that a person's list asks for; every Chinese is served by the one we have."""
    for name in wanted:
        primary = name.replace("-", "_").partition(".")[0].partition("_")[0].lower()
        if primary == "zh":
            return CHINESE
        if primary in {"en", "c", "posix"}:
            return ENGLISH
    return ENGLISH


def system_languages() -> tuple[str, ...]:
    """The person's languages as the system tells them, best first."""
    named = environment.wanted_languages()
    if not named and sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - Windows alone needs it
        import locale  # noqa: PLC0415

        language_id = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return (locale.windows_locale.get(language_id, ENGLISH),)
    return named


def _translated(text: Text | str, catalogue: gettext.NullTranslations) -> str:
    if isinstance(text, str):
        return _lookup(text, catalogue)
    values = {
        name: _translated(value, catalogue) if isinstance(value, Text) else value for name, value in text.values.items()
    }
    filled = Text(text.template, values)
    template = _lookup(text.template, catalogue)
    try:
        return filled.fill(template if template == text.template else _spaced(template, values))
    except (KeyError, IndexError, ValueError, AttributeError):
        return str(filled)  # a translation with a wrong place must not hide the sentence


def _spaced(template: str, values: Mapping[str, object]) -> str:
    """A translated template without the spaces around places where Chinese comes to stand beside Chinese.

    They part Chinese from Latin letters and digits, which is what most places are filled with: 有 3 次, but 属于工作的.
    Only spaces of the template go; what the values say stays as it is.
    """
    pieces = _PLACE.split(template)
    shown = [str(values.get(piece[1:-1], "")) if number % 2 else piece for number, piece in enumerate(pieces)]
    for number in range(1, len(pieces), 2):
        before, after = pieces[number - 1], pieces[number + 1]
        if before.endswith(" ") and _are_chinese("".join(shown[: number - 1]) + before[:-1], shown[number]):
            pieces[number - 1] = shown[number - 1] = before[:-1]
        if after.startswith(" ") and _are_chinese(shown[number], after[1:] + "".join(shown[number + 2 :])):
            pieces[number + 1] = shown[number + 1] = after[1:]
    return "".join(pieces)


def _are_chinese(left: str, right: str) -> bool:
    return bool(_CHINESE_SIGN.match(left[-1:]) and _CHINESE_SIGN.match(right[:1]))


def _lookup(template: str, catalogue: gettext.NullTranslations) -> str:
    # gettext answers "" with the catalogue's header
    return catalogue.gettext(template) if template else template
