"""The language of a chunk as a small number, for columns in memory.

The list is fixed, so that what stands for a language never depends on what else is stored (G4.3).
"""

from __future__ import annotations

OTHER = "other"

LANGUAGES = (OTHER, "en", "zh", "ja", "ko", "fr", "de", "es", "it", "pt", "nl", "ru", "pl", "vi", "ar", "und")
"""Languages with a slot of their own; every other one is `OTHER`, and `und` is undetermined."""

_SLOTS = {language: slot for slot, language in enumerate(LANGUAGES)}


def slot_of(language: str) -> int:
    """The slot of a language tag: `en`, `zh-Hant`, `und`."""
    return _SLOTS.get(language.partition("-")[0].lower(), 0)
