"""Whether this device runs on its battery, and whether its network is paid by volume.

Both decide when work that nobody waits for may run. Where the system does not tell, the answer is no: a desktop without
a battery, or a system without NetworkManager, is not to be held back by our not knowing.
"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass

_METERED = frozenset({1, 3})
"""NetworkManager's NM_METERED_YES and NM_METERED_GUESS_YES (its D-Bus reference, NMMetered)."""
_TIMEOUT_S = 1.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the device lives on at a moment."""

    is_on_battery: bool = False
    is_metered: bool = False


def look() -> Surroundings:
    """Ask the system; blocks for up to a second."""
    return Surroundings(_is_on_battery(), _is_metered())


def _is_on_battery() -> bool:
    import psutil  # noqa: PLC0415 - 10 ms, and only for who asks

    with contextlib.suppress(OSError, RuntimeError, NotImplementedError):
        battery = psutil.sensors_battery()
        return battery is not None and battery.power_plugged is False
    return False


def _is_metered() -> bool:
    if sys.platform != "linux":
        return False
    try:
        from jeepney import DBusAddress, Properties  # noqa: PLC0415 - Linux alone has it
        from jeepney.io.blocking import open_dbus_connection  # noqa: PLC0415 - see above
    except ImportError:
        return False
    manager = DBusAddress(
        "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager", "org.freedesktop.NetworkManager"
    )
    # no bus, no NetworkManager, no answer: not known
    with contextlib.suppress(OSError, ValueError, KeyError, TimeoutError, EOFError):
        with open_dbus_connection(bus="SYSTEM") as connection:
            reply = connection.send_and_get_reply(Properties(manager).get("Metered"), timeout=_TIMEOUT_S)
        variant = reply.body[0] if reply.body else None
        return isinstance(variant, tuple) and variant[1] in _METERED
    return False
