"""What is not collected: clutter that programs leave behind, and what a `.famulusignore` file names.

The patterns are those of gitignore(5), as far as they concern names: `*`, `?`, `[...]`, `**`, a leading `/` or one in
the middle to anchor, a trailing `/` for folders, `!` to take back. The last pattern that fits decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

IGNORE_FILE = ".famulusignore"
_MAX_IGNORE_BYTES = 256 * 1024
_MAX_PATTERNS = 2_000

_FOLDERS = frozenset(
    (
        *("node_modules", "__pycache__", "bower_components", "site-packages", "$recycle.bin"),
        *("system volume information", "lost+found", "__macosx"),
    )
)
_FILES = frozenset(("thumbs.db", "desktop.ini", "ehthumbs.db", "icon\r"))
_CLUTTER = re.compile(
    r"~\$.*|\.~lock\..*#|#.*#|.*~|.*\.(?:swp|swo|swx|tmp|temp|part|partial|crdownload|download|pyc|pyo|lock|bak)",
    re.IGNORECASE,
)
# Kinds that are not even opened; they are counted, so that nobody wonders
_NOT_READ = frozenset(
    (
        *("jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "webp", "heic", "heif", "avif", "ico", "psd", "ai", "raw"),
        *("cr2", "nef", "arw", "dng", "mp3", "m4a", "wav", "flac", "ogg", "opus", "aac", "wma", "aiff", "mid", "amr"),
        *("mp4", "mkv", "mov", "avi", "wmv", "webm", "m4v", "mpg", "mpeg", "3gp", "flv", "zip", "gz", "tgz", "bz2"),
        *("xz", "7z", "rar", "tar", "zst", "jar", "war", "deb", "rpm", "dmg", "iso", "img", "vmdk", "qcow2", "vdi"),
        *("exe", "dll", "so", "dylib", "o", "a", "lib", "class", "msi", "apk", "app", "bin", "wasm", "whl", "ttf"),
        *("otf", "woff", "woff2", "eot", "db", "sqlite", "sqlite3", "mdb", "accdb", "parquet", "npy", "npz", "onnx"),
        *("pt", "safetensors", "gguf", "pkl", "h5", "lnk", "torrent", "pak", "map"),
    )
)


def is_clutter(name: str, *, is_folder: bool) -> bool:
    """Whether a name is hidden, or one that programs give to what they leave behind."""
    lowered = name.lower()
    if name.startswith("."):
        return True
    return lowered in _FOLDERS if is_folder else lowered in _FILES or _CLUTTER.fullmatch(name) is not None


def is_unread_kind(name: str) -> bool:
    """Whether a file is of a kind that is never read, by its name."""
    return name.rpartition(".")[2].lower() in _NOT_READ if "." in name else False


@dataclass(frozen=True, slots=True)
class _Pattern:
    expression: re.Pattern[str]
    is_exception: bool
    is_for_folders: bool


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The patterns that hold in one folder: its own, and those of the folders above it.

    Attributes:
        levels: for each folder with patterns, the length of its path below the root, and its patterns.
    """

    levels: tuple[tuple[str, tuple[_Pattern, ...]], ...] = field(default=())

    def below(self, folder: str, text: str) -> IgnoreRules:
        """The rules in a folder (its path below the root, with `/`) that has an ignore file."""
        patterns = tuple(filter(None, (_compiled(line) for line in text.splitlines()[:_MAX_PATTERNS])))
        return IgnoreRules((*self.levels, (f"{folder}/" if folder else "", patterns))) if patterns else self

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path below the root (with `/`) is left out."""
        verdict = False
        for prefix, patterns in self.levels:
            inner = path.removeprefix(prefix)
            for pattern in patterns:
                if (is_folder or not pattern.is_for_folders) and pattern.expression.fullmatch(inner):
                    verdict = not pattern.is_exception
        return verdict


def read_ignore_file(folder: Path) -> str | None:
    """The text of a folder's ignore file; None when there is none or it cannot be read."""
    try:
        with (folder / IGNORE_FILE).open("rb") as file:
            return file.read(_MAX_IGNORE_BYTES).decode("utf-8", "replace")
    except OSError:
        return None


def _compiled(line: str) -> _Pattern | None:
    line = line.rstrip("\r\n").rstrip(" ")
    if not line or line.startswith("#"):
        return None
    is_exception = line.startswith("!")
    line = line.removeprefix("!").removeprefix("\\")
    is_for_folders = line.endswith("/")
    line = line.rstrip("/")
    if not line:
        return None
    is_anchored = "/" in line
    try:
        expression = re.compile(("" if is_anchored else "(?:.*/)?") + _translated(line.lstrip("/")))
    except re.error:
        return None
    return _Pattern(expression, is_exception, is_for_folders)


_PIECES = re.compile(
    r"(?P<deep>\*\*/)|(?P<rest>/\*\*\Z)|(?P<star>\*+)|(?P<one>\?)|\[(?P<not>[!^]?)(?P<set>\]?[^\]/]*)\]"
)


def _translated(glob: str) -> str:
    """A gitignore pattern as a regular expression."""
    parts: list[str] = []
    position = 0
    for match in _PIECES.finditer(glob):
        parts.append(re.escape(glob[position : match.start()]))
        if match["deep"]:
            parts.append("(?:[^/]+/)*")
        elif match["rest"]:
            parts.append("/.+")
        elif match["star"]:
            parts.append("[^/]*")
        elif match["one"]:
            parts.append("[^/]")
        else:
            characters = match["set"].replace("\\", "\\\\").replace("]", "\\]").replace("[", "\\[")
            parts.append(f"[{'^/' if match['not'] else ''}{characters}]")
        position = match.end()
    return "".join([*parts, re.escape(glob[position:])])
