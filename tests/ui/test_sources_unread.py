"""Importing the desktop reads no source (DESIGN 8)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import linecache
import app.ui.main_window, app.famulus.house, app.famulus.offices
print(sum(name.endswith((".py",)) and "/app/" in name for name in linecache.cache))
"""


def test_no_module_of_ours_is_read_as_text():
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 2, "PySide reads sources again: see app.ui.sources_unread"
