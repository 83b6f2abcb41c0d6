"""What every page and panel has at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.famulus.api import FamulusApi
    from app.runtime.bus import Bus
    from app.runtime.lanes import Lane
    from app.runtime.paths import Paths
    from app.ui.attention import Attention
    from app.ui.collecting import Collecting
    from app.ui.doing import Doing
    from app.ui.history import History
    from app.ui.status_watch import StatusWatch
    from app.ui.theme import Theme
    from app.ui.wording import Wording


@dataclass(frozen=True, slots=True)
class Desk:
    """The facade, the events, the words, the looks, and the way to start work.

    Attributes:
        blocking: the lane for what may take long without the facade, such as asking the disk.
    """

    api: FamulusApi
    bus: Bus
    wording: Wording
    theme: Theme
    history: History
    doing: Doing
    status: StatusWatch
    collecting: Collecting
    attention: Attention
    blocking: Lane
    paths: Paths
