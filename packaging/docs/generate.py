"""Writes the reference pages from the declarations in the code, so that they cannot say anything else.

python packaging/docs/generate.py           write docs/reference/*.md
python packaging/docs/generate.py --check   exit 1 if a page is not what the code says
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from app.cli import program  # noqa: E402 - found through the line above
from app.domain import errors  # noqa: E402
from app.runtime import translation  # noqa: E402
from app.settings.declarations import DECLARATIONS  # noqa: E402
from app.sources.contract import Capability  # noqa: E402
from app.sources.registry import Registry  # noqa: E402

PAGES = ROOT / "docs" / "reference"
_NOTE = "<!-- Made by packaging/docs/generate.py from the code; changes go there. -->\n"
_GLOBAL = ("--basedir", "--now", "--json", "--lang", "--passphrase-fd", "--help")


def settings_page() -> str:
    """Every setting, by section."""
    lines = [
        "# Settings",
        _NOTE,
        "The settings stand in `famulus.toml` in the configuration folder. A bad value is told and its default used;",
        "keys that Famulus does not know, and comments, are kept. `famulus settings set NAME VALUE` changes one.",
    ]
    section = ""
    for setting in DECLARATIONS:
        if setting.section != section:
            section = setting.section
            lines += ["", f"## [{section}]", "", "| key | default | allowed | meaning |", "| --- | --- | --- | --- |"]
        restart = " Takes effect at the next start." if setting.needs_restart else ""
        default = setting.kind.show(setting.default)
        allowed = str(setting.kind.allowed).replace("<", "\\<")
        lines.append(_row((f"`{setting.key}`", f"`{default}`", allowed, f"{setting.meaning}{restart}")))
    return "\n".join(lines) + "\n"


def errors_page() -> str:
    """Every kind of error that a person can meet."""
    head = [
        "# Errors",
        _NOTE,
        "What the world did is told in three sentences: what happened, whether anything was lost, and what to do",
        "next; the command ends with exit code 3. With `--json` the same is printed as",
        "`{error: {code, what, lost, next_step}}`. Our own fault ends with exit code 1 and the code `bug`, wrong use",
        "of a command with exit code 2 and the code `usage`.",
        "",
        "| code | kind of | meaning |",
        "| --- | --- | --- |",
    ]
    rows = []
    for kind in errors.expected_types().values():
        parent = kind.__mro__[1]
        of = f"`{parent.code}`" if issubclass(parent, errors.Expected) else ""
        rows.append(_row((f"`{kind.code}`", of, inspect.cleandoc(kind.__doc__ or "").splitlines()[0])))
    return "\n".join([*head, *sorted(rows)]) + "\n"


def cli_page() -> str:
    """Every command with its options."""
    before = translation.language()
    translation.use_language(translation.ENGLISH)
    root = program.build()
    translation.use_language(before)
    lines = [
        "# Command line",
        _NOTE,
        "Exit codes: 0 done, 1 our fault, 2 used wrongly, 3 politely refused (bad input, locked, denied, stopped).",
        "",
        "These options may stand before or after the name of every command:",
        "",
        *_options(root, lambda name: name in _GLOBAL),
    ]
    for path, command in _commands(root, (program.NAME,)):
        if command.hidden:
            continue
        context = click.Context(command, info_name=" ".join(path))
        usage = " ".join((*path, *command.collect_usage_pieces(context)))
        lines += ["", f"## {' '.join(path)}", "", f"    {usage}", "", command.help or ""]
        own = _options(command, lambda name: name not in _GLOBAL)
        lines += ["", *own] if own else []
    return "\n".join(lines) + "\n"


def sources_page() -> str:
    """Every kind of source, and what it can do."""
    registry = Registry()
    registry.load()
    names = [capability.value for capability in Capability]
    lines = [
        "# Kinds of sources",
        _NOTE,
        "What can be added with `famulus add KIND LOCATION`. Every kind tells additions, changes and deletions since",
        "the last time; the columns are what some can do beyond that: `watch` notices changes at once on this device,",
        "`push` is told of them by its server, `search` searches at the source, `write` can write back after you",
        "confirmed it. A page on each is in `docs/sources/`.",
        "",
        _row(("kind", "what it is", "location", "password", *names)),
        "| " + "--- | " * (4 + len(names)),
    ]
    for kind in registry.kinds():
        marks = ["yes" if name in kind.capabilities else "" for name in names]
        secret = "yes" if kind.needs_secret else ""
        name = f"[`{kind.name}`](../sources/{kind.name}.md)"
        lines.append(_row((name, str(kind.meaning), str(kind.location), secret, *marks)))
    for kind in registry.kinds():
        if kind.options:
            lines += ["", f"## Options of {kind.name}", "", "| option | default | meaning |", "| --- | --- | --- |"]
            lines += [_row((f"`{one.name}`", f"`{one.default}`", str(one.meaning))) for one in kind.options]
    return "\n".join(lines) + "\n"


PAGE_MAKERS: dict[str, Callable[[], str]] = {
    "settings.md": settings_page,
    "errors.md": errors_page,
    "cli.md": cli_page,
    "sources.md": sources_page,
}


def stale() -> list[str]:
    """The names of pages that are not what the code says."""
    return [name for name, make in PAGE_MAKERS.items() if not _is_current(PAGES / name, make())]


def write() -> None:
    """Write all pages."""
    PAGES.mkdir(parents=True, exist_ok=True)
    for name, make in PAGE_MAKERS.items():
        (PAGES / name).write_text(make(), "utf-8")


def _commands(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            yield from _commands(command.commands[name], (*path, name))


def _options(command: click.Command, is_wanted: Callable[[str], bool]) -> list[str]:
    context = click.Context(command)
    rows = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if is_wanted(parameter.opts[-1]) else None
        if record is not None:
            rows.append(_row((f"`{record[0]}`", record[1])))
    return ["| option | meaning |", "| --- | --- |", *rows] if rows else []


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _is_current(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text("utf-8") == text


def main(arguments: list[str]) -> int:
    """Write or check the pages; returns the exit code."""
    if arguments == ["--check"]:
        names = stale()
        for name in names:
            print(f"docs/reference/{name} is not what the code says: run make docs")
        return 1 if names else 0
    if arguments:
        print(__doc__)
        return 2
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
