"""Which steps there are, in their order. A step is made here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.govern.likeness.step import LikenessStep
from app.govern.people.step import PeopleStep
from app.govern.supersession.step import SupersessionStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.govern.understanding.contract import Step


def all_steps() -> Sequence[Step]:
    """Who is who; then what is like what; then what later statements do to earlier ones."""
    return PeopleStep(), LikenessStep(), SupersessionStep()
