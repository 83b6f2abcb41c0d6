"""Opens the original of a source. Documents of known kinds are opened; everything else is shown in its folder.

Nothing is ever executed: a program, a script or a launcher is not a document, whatever it is called in an entry (X9.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.domain.errors import Refused, Unavailable
from app.domain.text import msg

if TYPE_CHECKING:
    from app.runtime.lanes import Lane

_TEXTS: Final = (".md", ".markdown", ".txt", ".text", ".rst", ".org", ".tex", ".log", ".csv", ".tsv", ".html", ".htm")
_OFFICE: Final = (".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".rtf", ".epub", ".eml", ".ics", ".vcf")
_MEDIA: Final = (
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".webp",
    ".bmp",
    ".tif",
    ".tiff",
    ".heic",
    ".mp3",
    ".m4a",
    ".ogg",
    ".wav",
)
DOCUMENTS: Final = frozenset((*_TEXTS, *_OFFICE, *_MEDIA))


@dataclass(frozen=True, slots=True)
class Opening:
    """What to hand to the desktop: the document itself, or its folder."""

    path: Path
    is_document: bool


def plan(uri: str) -> Opening:
    """Decide what may be opened; asks the disk, so it belongs on a lane.

    Raises:
        Refused: what is no file on this device.
        Unavailable: the file and its folder are gone.
    """
    url = QUrl(uri)
    if not url.isLocalFile():
        raise Refused(
            msg("This source is not a file on this device, so it is not opened from here."),
            next_step=msg("Open it in the program that it comes from."),
        )
    path = Path(url.toLocalFile())
    if path.is_dir():
        return Opening(path, is_document=False)
    if path.is_file():
        return _plan_file(path)
    if path.parent.is_dir():
        return Opening(path.parent, is_document=False)
    raise Unavailable(
        msg("The original is no longer where it was."),
        next_step=msg("Sync its source, so that Famulus learns where things are now."),
    )


def _plan_file(path: Path) -> Opening:
    # a link is what it points to, and both names must be of a document
    names = (path, path.resolve())
    if all(name.suffix.lower() in DOCUMENTS for name in names):
        return Opening(path, is_document=True)
    return Opening(path.parent, is_document=False)


async def open_source(uri: str, lane: Lane) -> Opening:
    """Open a source, or show its folder; raises what `plan` raises, or `Unavailable` if the desktop cannot."""
    opening = await lane.run(plan, uri)
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(opening.path))):
        raise Unavailable(
            msg("The desktop has no program that opens this."),
            next_step=msg("Open it by hand: {path}", path=str(opening.path)),
        )
    return opening
