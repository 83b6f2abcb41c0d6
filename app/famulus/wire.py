"""What goes between the owner of the data and another process: which calls there are, and the frames that carry them.

    to the owner    {id, method, params, now}             a call; `now` is the caller's clock, or null for the real one
                    {id, control}                         pause, resume or stop the call
    to the caller   {hello: {version, process_id}}        first of all
                    {id, progress}  {id, result}  {id, error}
                    {bye}                                 the last; a call that got no answer before it was not begun

The calls are the methods of `FamulusApi`, taken from its declaration.
"""

from __future__ import annotations

import functools
import inspect
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.errors import Bug, Expected, expected_types
from app.domain.text import Text
from app.famulus.api import FamulusApi
from app.famulus.codec import NAMES, WireError, decode, encode, expect

if TYPE_CHECKING:
    from collections.abc import Mapping

_BUG = "bug"
_SENTENCES = ("what", "lost", "next_step")


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the owner is."""

    version: str
    process_id: int


@dataclass(frozen=True, slots=True)
class Method:
    """One method of the facade, as it goes over the wire."""

    name: str
    signature: inspect.Signature
    hints: Mapping[str, Any]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that are values; progress and stop have frames of their own."""
        return tuple(name for name in self.signature.parameters if name not in {"self", "progress", "stop"})

    @property
    def has_progress(self) -> bool:
        """Whether it tells how far it is."""
        return "progress" in self.signature.parameters

    @property
    def has_stop(self) -> bool:
        """Whether it can be paused and stopped."""
        return "stop" in self.signature.parameters

    @property
    def returns(self) -> Any:  # noqa: ANN401 - a type
        """The type of its result."""
        return self.hints["return"]

    def encode_arguments(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Arguments by name, as JSON."""
        return {name: encode(value, self.hints[name]) for name, value in arguments.items()}

    def decode_arguments(self, data: object) -> dict[str, Any]:
        """Read arguments; raises `WireError` for unknown, missing or wrong ones."""
        given = expect(data, dict)
        is_required = {
            name: self.signature.parameters[name].default is inspect.Parameter.empty for name in self.parameters
        }
        if given.keys() - is_required.keys() or any(is_required[name] for name in is_required.keys() - given.keys()):
            raise WireError(f"arguments of {self.name}")
        return {name: decode(value, self.hints[name]) for name, value in given.items()}


@functools.cache
def methods() -> Mapping[str, Method]:
    """All that may be called: the methods of `FamulusApi` and nothing else."""
    return {
        name: Method(name, inspect.signature(function), typing.get_type_hints(function, localns=NAMES))
        for part in reversed(FamulusApi.__mro__)
        for name, function in vars(part).items()
        if inspect.iscoroutinefunction(function) and not name.startswith("_")
    }


def encode_error(error: BaseException) -> dict[str, Any]:
    """What went wrong, for the other side; of a bug only that it was one."""
    if not isinstance(error, Expected):
        return {"code": _BUG}
    return {"code": error.code} | {name: encode(getattr(error, name), Text) for name in _SENTENCES}


def decode_error(data: object) -> Exception:
    """The error that the other side raised; raises `WireError` when it makes no sense."""
    given = expect(data, dict)
    if given.get("code") == _BUG:
        return Bug("the process that owns the data failed; its log says where")
    if given.keys() != {"code", *_SENTENCES}:
        raise WireError("error")
    what, lost, next_step = (decode(given[name], Text) for name in _SENTENCES)
    return expected(str(given["code"]), what, lost=lost, next_step=next_step)


def expected(code: str, what: Text, *, lost: Text, next_step: Text) -> Expected:
    """Make an error of the kind with this code; of the root kind when nobody here knows the code."""
    kind = expected_types().get(code, Expected)
    error = kind.__new__(kind)
    Expected.__init__(error, what, lost=lost, next_step=next_step)  # a kind may want other arguments for its own
    return error
