"""What the device lives on (L6.2)."""

from __future__ import annotations

from types import SimpleNamespace

import psutil
import pytest

from app.runtime import power


@pytest.mark.parametrize(
    ("battery", "expected"),
    [
        (None, False),
        (SimpleNamespace(power_plugged=True), False),
        (SimpleNamespace(power_plugged=None), False),
        (SimpleNamespace(power_plugged=False), True),
    ],
)
def test_a_battery_that_is_being_emptied(monkeypatch: pytest.MonkeyPatch, battery: object, *, expected: bool) -> None:
    monkeypatch.setattr(psutil, "sensors_battery", lambda: battery, raising=False)
    assert power.look().is_on_battery is expected


def test_a_system_that_does_not_tell_holds_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise NotImplementedError

    monkeypatch.setattr(psutil, "sensors_battery", broken, raising=False)
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere/at/all")
    assert power.look() == power.Surroundings()
