"""The desktop app where there is no desktop: it says so, and leaves everything as it was."""

from __future__ import annotations

import sys

import pytest

from app.bootstrap.desktop import run
from app.domain.errors import Unavailable
from app.runtime.paths import Paths
from app.runtime.single_instance import OwnerLock


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="there is always a screen")
@pytest.mark.parametrize("is_toggling", [False, True])
def test_without_a_screen_it_refuses(basedir, monkeypatch, is_toggling):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Unavailable, match="no screen"):
        run(Paths(basedir), is_toggling=is_toggling)
    assert is_toggling or not (basedir / "data").exists()


def test_without_the_windows_libraries_it_refuses(basedir, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setitem(sys.modules, "app.ui.app", None)
    paths = Paths(basedir)
    with pytest.raises(Unavailable, match="libraries"):
        run(paths, is_toggling=False)
    assert OwnerLock(paths).is_free()
