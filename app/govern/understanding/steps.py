"""Which steps there are, in their order. A step is made here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.govern.understanding.contract import Step


def all_steps() -> Sequence[Step]:
    """Who is who; then what is like what; then what later statements do to earlier ones."""
    # read here: what they need is loaded when the first entry is understood
    from app.govern.likeness.step import LikenessStep  # noqa: PLC0415
    from app.govern.people.step import PeopleStep  # noqa: PLC0415
    from app.govern.supersession.step import SupersessionStep  # noqa: PLC0415

    return PeopleStep(), LikenessStep(), SupersessionStep()
