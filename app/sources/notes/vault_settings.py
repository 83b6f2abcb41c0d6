"""What a vault's own settings say that concerns us: the folders of its templates, which are no notes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from app.sources.intake import path_id

if TYPE_CHECKING:
    from pathlib import Path

_SETTINGS = (
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)
# The last two hold what Logseq keeps of earlier and of deleted pages
_USUAL = ("templates", "template", "模板", "模版", "范本", "logseq/bak", "logseq/.recycle")
_MAX_BYTES = 256 * 1024


def template_folders(vault: Path) -> tuple[str, ...]:
    """How the native ids of templates begin, in lower case: in folders that the settings name, and the usual ones."""
    named = [folder for place, name in _SETTINGS if (folder := _setting(vault / place, name))]
    return tuple(f"{path_id(folder).casefold()}/" for folder in dict.fromkeys((*named, *_USUAL)))


def _setting(path: Path, name: str) -> str:
    """A text in a small JSON file; empty for anything else."""
    try:
        with path.open("rb") as file:
            values = json.loads(file.read(_MAX_BYTES).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return ""
    value = values.get(name) if isinstance(values, dict) else None
    return value.strip().strip("/") if isinstance(value, str) else ""
