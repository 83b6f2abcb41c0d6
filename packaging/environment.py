"""Makes the environment: a virtual environment, the locked dependencies, Famulus itself, and its embedding model.

    python packaging/environment.py run     what a person needs
    python packaging/environment.py test    also what the tests and the checks need

It needs only Python's standard library, works the same on Linux, macOS and Windows, and does nothing twice: a stamp in
the environment holds the hash of the lock it was made from.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
BIN = ENVIRONMENT / ("Scripts" if sys.platform == "win32" else "bin")
PYTHON = BIN / ("python.exe" if sys.platform == "win32" else "python")
MODELS = ENVIRONMENT / "share" / "famulus" / "models"
LOCKS = {"run": ROOT / "requirements" / "run.lock", "test": ROOT / "requirements" / "dev.lock"}


def main(purpose: str) -> int:
    """Bring the environment up to date for a purpose; returns the exit code."""
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        print(f"Famulus needs Python 3.11 to 3.13; this is {sys.version.split()[0]}.", file=sys.stderr)
        return 3
    lock = LOCKS[purpose]
    stamp = ENVIRONMENT / f".{purpose}.stamp"
    wanted = _fingerprint(lock)
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        if not PYTHON.exists():
            print("Making the environment in .venv")
            venv.EnvBuilder(with_pip=True, symlinks=sys.platform != "win32").create(ENVIRONMENT)
        print(f"Installing the locked dependencies ({lock.name})")
        # The lock is complete, so pip resolves nothing. It leaves out evdev, which pynput names for a back end that
        # Famulus does not use and which would need a compiler.
        _pip("install", "--quiet", "--no-deps", "--require-hashes", "-r", str(lock))
        _pip("install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
        stamp.write_text(wanted, "utf-8")
    return _prepare_model()


def _fingerprint(lock: Path) -> str:
    parts = [sys.version.split()[0].encode(), lock.read_bytes(), (ROOT / "pyproject.toml").read_bytes()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _pip(*arguments: str) -> None:
    subprocess.run([PYTHON, "-m", "pip", "--disable-pip-version-check", *arguments], check=True)


def _prepare_model() -> int:
    """Without a model Famulus answers by words, so a machine that cannot fetch it still gets a program."""
    done = subprocess.run([PYTHON, "-m", "app.inference.prepare", "--models", str(MODELS)], check=False, cwd=ROOT)
    if done.returncode:
        print("The embedding model could not be prepared; Famulus answers by words until it is.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in LOCKS:  # noqa: PLR2004
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(main(sys.argv[1]))
    except subprocess.CalledProcessError as error:
        print(f"A step failed (exit code {error.returncode}); see above. Nothing outside .venv was touched.")
        sys.exit(1)
