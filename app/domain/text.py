"""Sentences for people, kept untranslated until a shell shows them.

The core never chooses a language. It hands out a `Text`: an English template and its values; a shell translates the
template (see `app.runtime.translation`) and fills it in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_NOTHING: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Text:
    """An English template with `{named}` places, and the values for them."""

    template: str
    values: Mapping[str, object] = field(default_factory=lambda: _NOTHING)

    def __str__(self) -> str:
        """The English sentence."""
        return self.fill(self.template)

    def fill(self, template: str) -> str:
        """Put the values into a (translated) template."""
        return template.format_map(dict(self.values)) if self.values else template


def msg(template: str, /, **values: object) -> Text:
    """Mark a sentence for translation: the extractor collects the first argument of every call."""
    return Text(template, MappingProxyType(values))


def counted(one: str, many: str, /, **values: object) -> Text:
    """A sentence that counts: `one` where the first value is 1, as a number or as it is written. Both are collected.

    A language without a plural translates both in the same words.
    """
    return Text(one if str(next(iter(values.values()))) == "1" else many, MappingProxyType(values))
