import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.runtime.ipc.frames import BadFrame, pack, unpack

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)


@given(st.dictionaries(st.text(), JSON, max_size=3))
def test_a_frame_comes_back_as_it_was_in_ascii(frame):
    packed = pack(frame)
    assert packed.isascii()
    assert unpack(packed) == frame


@given(st.binary())
def test_bytes_are_a_frame_or_a_bad_frame(data):
    with contextlib.suppress(BadFrame):
        assert isinstance(unpack(data), dict)


@pytest.mark.parametrize(
    "data", [b"[]", b"1", b'{"x": NaN}', b'{"x": Infinity}', '{"x": "中"}'.encode(), b"[" * 99_999]
)
def test_no_frames(data):
    with pytest.raises(BadFrame):
        unpack(data)


def test_a_number_that_is_none_cannot_be_sent():
    with pytest.raises(ValueError, match="JSON"):
        pack({"x": float("nan")})
