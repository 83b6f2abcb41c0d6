"""What a running Famulus is made of; put together by `app.bootstrap`, closed by it in reverse order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.runtime.bus import Bus
    from app.runtime.lanes import Lanes
    from app.runtime.parse_process import ParseProcess
    from app.runtime.paths import Paths
    from app.runtime.secrets import Keychain
    from app.runtime.tasks import Tasks
    from app.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one process that owns the data. No part knows another one but through this."""

    paths: Paths
    settings: Settings
    lanes: Lanes
    bus: Bus
    tasks: Tasks
    keychain: Keychain
    parse: ParseProcess
