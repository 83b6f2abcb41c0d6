"""Keeps the translations in step with the source.

    python packaging/translations.py update    collect strings from app/ into the .po files, and compile them
    python packaging/translations.py compile   only make the .mo files that the program reads
    python packaging/translations.py check     exit 1 if a string is missing, untranslated, or a .mo is stale

A string is collected where it is the first argument of `msg(...)` or `translate(...)`, or one of the first two of
`counted(...)`, whose sentences for one and for many are two strings.
"""

from __future__ import annotations

import io
import re
import sys
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "resources" / "locale"
LANGUAGES = ("zh_CN",)
_PLACE = re.compile(r"\{(\w*)[^}]*\}")


@cache
def collect() -> Catalog:
    """Every translatable string of the program, with the files that use it; read once."""
    catalog = Catalog(project="Famulus", charset="utf-8")
    found = extract_from_dir(ROOT / "app", keywords={"msg": (1,), "translate": (1,), "counted": (1, 2)})
    for filename, _line, message, comments, context in found:
        for one in message if isinstance(message, tuple) else (message,):
            catalog.add(one, locations=[(f"app/{filename}", 0)], auto_comments=comments, context=context)
    return catalog


def load(language: str) -> Catalog:
    """The translations as they stand; an empty catalog for a new language."""
    path = _po(language)
    if not path.exists():
        return Catalog(locale=language, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language, charset="utf-8")


def problems(language: str) -> list[str]:
    """What `check` finds wrong, one line each."""
    current, wanted = load(language), collect()
    lines = []
    for message in wanted:
        if not message.id:
            continue
        have = current.get(message.id)
        if have is None or not have.string or have.fuzzy:
            lines.append(f"{language}: not translated: {message.id!r}")
        elif set(_PLACE.findall(str(message.id))) != set(_PLACE.findall(str(have.string))):
            lines.append(f"{language}: other places in braces than the original: {message.id!r}")
    lines += [f"{language}: no longer used: {m.id!r}" for m in current if m.id and m.id not in wanted]
    if not _mo(language).exists() or _mo(language).read_bytes() != compiled(current):
        lines.append(f"{language}: the compiled file is stale")
    return lines


def compiled(catalog: Catalog) -> bytes:
    """The catalog in the form that gettext reads."""
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def update(language: str) -> None:
    """Add new strings (untranslated), drop unused ones; never guess a translation."""
    catalog = load(language)
    catalog.update(collect(), no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    _po(language).parent.mkdir(parents=True, exist_ok=True)
    with _po(language).open("wb") as file:
        write_po(file, catalog, width=0, sort_output=True, omit_header=False, include_lineno=False)


def compile_language(language: str) -> None:
    """Write the .mo file."""
    _mo(language).write_bytes(compiled(load(language)))


def _po(language: str) -> Path:
    return LOCALES / language / "LC_MESSAGES" / "famulus.po"


def _mo(language: str) -> Path:
    return _po(language).with_suffix(".mo")


def main(command: str) -> int:
    """Run one of the three commands; returns the exit code."""
    lines: list[str] = []
    for language in LANGUAGES:
        if command == "update":
            update(language)
        if command in {"update", "compile"}:
            compile_language(language)
        lines += problems(language)
    print("\n".join(lines) or "All strings are translated.")
    return 1 if lines and command != "compile" else 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in {"update", "compile", "check"}:  # noqa: PLR2004
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
