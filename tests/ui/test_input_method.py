"""Whether Chinese can be typed is said at the start, not found out (D8.6)."""

from __future__ import annotations

import pytest

from app.ui import input_method

IBUS = ["libibusplatforminputcontextplugin.so"]


@pytest.mark.parametrize(
    ("platform", "module", "modifiers", "plugins", "told"),
    [
        ("xcb", "fcitx", "", IBUS, True),
        ("xcb", "", "@im=fcitx", IBUS, True),
        ("wayland", "fcitx5", "", IBUS, True),
        ("xcb", "fcitx", "", [*IBUS, "libfcitx5platforminputcontextplugin.so"], False),
        ("xcb", "ibus", "@im=fcitx", IBUS, False),
        ("xcb", "", "", IBUS, False),
        ("cocoa", "fcitx", "", [], False),
    ],
)
def test_fcitx_without_its_plugin_is_told(platform, module, modifiers, plugins, told):
    said = input_method.hint(platform=platform, module=module, modifiers=modifiers, plugins=plugins)
    assert (said is not None) is told
    if told:
        assert "ibus" in str(said)


def test_it_can_be_asked_here(qapp):
    assert input_method.hint_here() is None
