"""Where the browsers of this person keep their bookmarks and history, on Linux, macOS and Windows.

`famulus add bookmarks firefox` means the profile that was used last. A profile folder, or the file itself, can be named
instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.text import msg
from app.runtime.environment import expanded

if TYPE_CHECKING:
    from pathlib import Path

_FIREFOX = (
    ".mozilla/firefox",
    ".config/mozilla/firefox",
    "snap/firefox/common/.mozilla/firefox",
    ".var/app/org.mozilla.firefox/.mozilla/firefox",
    "Library/Application Support/Firefox/Profiles",
    "AppData/Roaming/Mozilla/Firefox/Profiles",
)
_CHROMIUM = {
    "chromium": (
        ".config/chromium",
        "snap/chromium/common/chromium",
        ".var/app/org.chromium.Chromium/config/chromium",
        "Library/Application Support/Chromium",
        "AppData/Local/Chromium/User Data",
    ),
    "chrome": (
        ".config/google-chrome",
        ".var/app/com.google.Chrome/config/google-chrome",
        "Library/Application Support/Google/Chrome",
        "AppData/Local/Google/Chrome/User Data",
    ),
    "edge": (
        ".config/microsoft-edge",
        "Library/Application Support/Microsoft Edge",
        "AppData/Local/Microsoft/Edge/User Data",
    ),
}
BROWSERS = ("firefox", *_CHROMIUM)


def browser_file(location: str, name: str) -> str:
    """The absolute path of a browser's file.

    Args:
        location: the name of a browser, a profile folder, or a file.
        name: what Chromium calls the file; Firefox has all in one.

    Raises:
        BadInput: there is no such file.
    """
    path = expanded(location)
    try:
        if location and path.is_file():
            return str(path.resolve())
        # a shell makes a path of whatever it is given
        places = (path,) if location and path.is_dir() else _folders(path.name.lower())
        found = [file for folder in places for file in _files_in(folder, name)]
        if found:
            return str(max(found, key=lambda file: file.stat().st_mtime_ns).resolve())
    except (OSError, ValueError):
        pass
    raise BadInput(
        msg("There is no such file of a browser at {location}.", location=location),
        next_step=msg("Name the file, the profile folder, or one of: {browsers}.", browsers=", ".join(BROWSERS)),
    )


def _folders(browser: str) -> tuple[Path, ...]:
    relative = _FIREFOX if browser == "firefox" else _CHROMIUM.get(browser, ())
    home = expanded("~")
    return tuple(home / place for place in relative)


def _files_in(folder: Path, name: str) -> list[Path]:
    """The files of the profiles in a folder, or of the folder itself, when it is a profile."""
    candidates = [folder / "places.sqlite", folder / name]
    candidates += [*folder.glob("*/places.sqlite"), *folder.glob(f"*/{name}")] if folder.is_dir() else []
    return [path for path in candidates if path.is_file()]
