"""What is not collected: clutter that programs leave behind, and what a `.famulusignore` file names.

The patterns are those of gitignore(5), as far as they concern names: `*`, `?`, `[...]`, `**`, a leading `/` or one in
the middle to anchor, a trailing `/` for folders, `!` to take back. The last pattern that fits decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.sources.parsing.parsed import Sense

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

IGNORE_FILE = ".famulusignore"
_MAX_IGNORE_BYTES = 256 * 1024
_MAX_PATTERNS = 2_000
_MAX_PATTERN = 1_000

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
        *("mp4", "mkv", "mov", "avi", "wmv", "webm", "m4v", "mpg", "mpeg", "3gp", "flv"),
        *("jar", "war", "deb", "rpm", "dmg", "iso", "img", "vmdk", "qcow2", "vdi"),
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


_PICTURES = frozenset(("jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "webp", "heic", "heif", "avif"))
_RECORDINGS = frozenset(("mp3", "m4a", "wav", "flac", "ogg", "oga", "opus", "amr", "silk"))
_SLOW = _PICTURES | _RECORDINGS


def is_unread_kind(name: str, senses: frozenset[Sense] = frozenset()) -> bool:
    """Whether a file is of a kind that is not read, by its name; pictures and recordings as the senses allow."""
    suffix = _suffix(name)
    if suffix in _PICTURES:
        return Sense.PICTURES not in senses
    if suffix in _RECORDINGS:
        return Sense.RECORDINGS not in senses
    return suffix in _NOT_READ


def is_picture_or_recording(name: str) -> bool:
    """Whether reading a file takes seconds, by its name."""
    return _suffix(name) in _SLOW


def _suffix(name: str) -> str:
    return name.rpartition(".")[2].lower() if "." in name else ""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One line. `steps`: what each name of the path has to be; None stands for any number of folders."""

    steps: tuple[re.Pattern[str] | None, ...]
    is_exception: bool
    is_for_folders: bool

    def fits(self, names: Sequence[str]) -> bool:
        """Whether it fits a path, given as its names; the work is bounded by names times steps."""
        reached = {0}
        for step in self.steps:
            if step is None:
                reached = set(range(min(reached), len(names) + 1))
            else:
                reached = {at + 1 for at in reached if at < len(names) and step.fullmatch(names[at])}
            if not reached:
                return False
        return len(names) in reached


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
            names = path.removeprefix(prefix).split("/")
            for pattern in patterns:
                if (is_folder or not pattern.is_for_folders) and pattern.fits(names):
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
    if not line or len(line) > _MAX_PATTERN:
        return None
    names = line.split("/")
    if len(names) == 1:
        names = ["**", *names]  # not anchored: in any folder
    elif not names[0]:
        names = names[1:]
    if names[-1] == "**":
        names.append("*")  # all that is inside
    try:
        steps = tuple(None if name == "**" else re.compile(_translated(name), re.DOTALL) for name in names)
    except re.error:
        return None
    return _Pattern(steps, is_exception, is_for_folders)


_PIECES = re.compile(r"(?P<star>\*+)|(?P<one>\?)|\[(?P<not>[!^]?)(?P<set>\]?[^\]]*)\]")


def _translated(glob: str) -> str:
    """The pattern of one name as a regular expression that takes no longer than the name is long.

    What stands behind a star is taken where it fits first, for good (`(?>`): a later place would do no better, and
    trying them all lets a short pattern keep the program busy for ever.
    """
    runs: list[list[str]] = [[]]
    position = 0
    for match in _PIECES.finditer(glob):
        runs[-1].append(re.escape(glob[position : match.start()]))
        if match["star"]:
            runs.append([])
        elif match["one"]:
            runs[-1].append(".")
        else:
            characters = match["set"].replace("\\", "\\\\").replace("]", "\\]").replace("[", "\\[")
            runs[-1].append(f"[{'^' if match['not'] else ''}{characters}]")
        position = match.end()
    runs[-1].append(re.escape(glob[position:]))
    first, *rest = ("".join(run) for run in runs)
    if not rest:
        return first
    return first + "".join(f"(?>.*?{run})" for run in rest[:-1]) + ".*" + rest[-1]
