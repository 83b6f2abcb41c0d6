"""What goes between processes comes back as it was, and nothing else is taken (DESIGN 3)."""

import contextlib
import json
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain import collecting, context_item, entries, labels, progress
from app.domain.checking import CheckReport
from app.domain.collecting import ImportReport, SourceDraft, SourceInfo, SyncReport
from app.domain.context_item import AgendaItem, Answer, ContextItem, SearchRequest
from app.domain.entries import Place
from app.domain.errors import Bug, Expected, WrongKey, expected_types
from app.domain.labels import EntryKind, Sensitivity
from app.domain.progress import Progress
from app.domain.text import Text, msg
from app.famulus import api
from app.famulus.api import FamulusApi, ModelInfo, StatusReport
from app.famulus.codec import WireError, _fields, decode, encode
from app.famulus.wire import decode_error, encode_error, expected, methods
from app.runtime.ipc.frames import pack, unpack

SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
ANY = st.recursive(
    SCALARS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)
TEXTS = st.builds(Text, st.text(), st.dictionaries(st.text(), SCALARS | st.text(), max_size=3))
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
TIMES = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=OFFSETS)  # noqa: DTZ001
for kind, strategy in ((Text, TEXTS), (datetime, TIMES)):
    st.register_type_strategy(kind, strategy)
VALUES = [ContextItem, AgendaItem, Answer, SourceInfo, SyncReport, ImportReport, StatusReport, ModelInfo, CheckReport]


def _values_of(kind):
    """Any value of a dataclass of ours, whose hints hypothesis cannot resolve by itself."""
    return st.builds(kind, **{name: _value(hint) for name, hint in _fields(kind).items()})


def _value(hint):
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return st.none() | _value(next(argument for argument in arguments if argument is not type(None)))
    rows = {tuple: st.lists, Sequence: st.lists, frozenset: st.frozensets}
    if origin in rows:
        return rows[origin](_value(arguments[0]), max_size=2).map(frozenset if origin is frozenset else tuple)
    if origin is Mapping:
        return st.dictionaries(st.text(), _value(arguments[1]), max_size=2)
    if is_dataclass(hint) and hint is not Text:
        return _values_of(hint)
    return ANY if hint is object else st.floats(0, 1) if hint is float else st.from_type(hint)


@pytest.mark.parametrize("kind", [*VALUES, SearchRequest, Progress], ids=lambda kind: kind.__name__)
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_every_value_comes_back_as_it_was(kind, data):
    value = data.draw(_values_of(kind))
    back = decode(unpack(pack({"x": encode(value, kind)}))["x"], kind)
    assert back == value
    assert type(back) is kind


@given(ANY)
def test_any_json_value_comes_back_as_it_was(value):
    assert decode(json.loads(json.dumps(encode(value, object))), object) == value


def test_sentences_and_times_travel_inside_any_value(now):
    value = {"a": [msg("{n} files", n=1), now], "$text": "not a sentence", "$time": 1}
    assert decode(json.loads(json.dumps(encode(value, object))), object) == value


@given(st.lists(st.tuples(st.text(), st.none() | st.floats(0, 1))).map(tuple), st.dates())
def test_rows_of_different_values_and_days_travel(rows, day):
    hint = tuple[tuple[str, float | None], ...]
    assert decode(json.loads(json.dumps(encode(rows, hint))), hint) == rows
    assert decode(encode(day, date), date) == day


def test_a_row_that_is_too_long_cannot_travel():
    with pytest.raises(WireError):
        encode(("a", 1, 2), tuple[str, int])


def test_what_json_does_not_know_is_written_as_its_plain_form():
    assert encode([EntryKind.NOTE, PurePosixPath("/x"), frozenset({1})], object) == ["note", "/x", [1]]


@pytest.mark.parametrize("value", [object(), b"x", {"x": b""}, 1j])
def test_what_cannot_travel_is_a_type_error(value):
    with pytest.raises(TypeError):
        encode(value, object)


def test_a_result_of_the_wrong_type_cannot_travel():
    with pytest.raises(TypeError):
        encode(object(), str)


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (None, str),
        (1, str),
        ("1", int),
        (True, int),
        (1, bool),
        (True, float),
        ("x", float),
        (1.5, int),
        ({}, tuple[str, ...]),
        ("ab", tuple[str, ...]),
        ([1], tuple[str, ...]),
        ([], Place),
        ({}, Place),
        ({"x": 1}, Place),
        ("nothing", EntryKind),
        (7, Sensitivity),
        ([], EntryKind),
        ("2025-05-12", datetime),
        (1, datetime),
        ("0001-01-01T00:00:00.000000Z[-14:00]", datetime),
        ("2025-05-12T00:00:00", date),
        (1, date),
        (["a"], tuple[str, int]),
        (["a", "b"], tuple[str, int]),
        ("", type(None)),
        ({"$text": 1}, object),
        ({"$text": {"template": 1, "values": {}}}, object),
        ({"$time": "x"}, object),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused(data, hint):
    with pytest.raises(WireError):
        decode(data, hint)


@given(st.sampled_from(VALUES), ANY)
def test_garbage_is_a_wire_error_and_nothing_else(kind, data):
    with contextlib.suppress(WireError):
        decode(data, kind)


def test_an_unknown_field_is_refused():
    data = encode(Place(), Place) | {"extra": 1}
    with pytest.raises(WireError):
        decode(data, Place)


def test_all_of_the_facade_and_nothing_else_can_be_called():
    declared = {name for name in dir(FamulusApi) if not name.startswith("_")}
    assert set(methods()) == declared
    for name, method in methods().items():
        assert method.name == name
        assert "return" in method.hints
    assert methods()["sync"].has_stop
    assert methods()["sync"].has_progress
    assert methods()["sync"].parameters == ("source_id", "confirm_deletions")
    assert not methods()["check"].has_stop


def test_arguments_come_back():
    method = methods()["add_source"]
    given_ = {"draft": SourceDraft("files", "/\udcff", sensitivity=Sensitivity.PUBLIC, options={"a": "b"})}
    assert method.decode_arguments(json.loads(json.dumps(method.encode_arguments(given_)))) == given_
    assert methods()["import_paths"].decode_arguments({"paths": ["a"]}) == {"paths": ("a",)}


@pytest.mark.parametrize("kind", expected_types().values(), ids=lambda kind: kind.code)
def test_errors_come_back_as_their_kind(kind):
    error = expected(kind.code, msg("{x}.", x="What"), lost=msg("Nothing."), next_step=msg("Do."))
    back = decode_error(json.loads(json.dumps(encode_error(error))))
    assert type(back) is kind
    assert (back.what, back.lost, back.next_step, str(back)) == (error.what, error.lost, error.next_step, "What.")


def test_a_kind_with_other_arguments_and_an_unknown_kind():
    class Odd(Expected):
        code = "odd"

        def __init__(self, number):
            super().__init__(Text(str(number)), next_step=Text(""))

    assert type(decode_error(encode_error(Odd(7)))) is Odd
    unknown = encode_error(WrongKey(Text("x"), next_step=Text(""))) | {"code": "from the future"}
    assert type(decode_error(unknown)) is Expected


def test_a_bug_travels_without_its_message():
    assert encode_error(ValueError("secret")) == {"code": "bug"}
    assert isinstance(decode_error({"code": "bug"}), Bug)


@pytest.mark.parametrize("data", [None, [], {}, {"code": "locked"}, {"code": "locked", "what": 1}])
def test_an_error_that_makes_no_sense(data):
    with pytest.raises(WireError):
        decode_error(data)


def test_every_dataclass_of_the_facade_is_known_to_the_codec():
    for module in (collecting, context_item, entries, progress, api):
        for value in vars(module).values():
            if isinstance(value, type) and is_dataclass(value):
                assert set(_fields(value)) == {field.name for field in fields(value)}
    assert all(issubclass(value, Enum) for value in vars(labels).values() if isinstance(value, type))
    assert datetime(2025, 1, 1, tzinfo=UTC) == decode(encode(datetime(2025, 1, 1, tzinfo=UTC), datetime), datetime)
