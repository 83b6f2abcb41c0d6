import contextlib
import threading

import pytest

from app.domain.errors import Cancelled
from app.runtime.stop import StopSwitch


def test_work_goes_on_by_itself():
    switch = StopSwitch()
    switch.checkpoint()
    assert not switch.is_paused
    assert not switch.is_stopped


def test_stop_ends_work():
    switch = StopSwitch()
    switch.stop()
    with pytest.raises(Cancelled) as caught:
        switch.checkpoint()
    assert "kept" in str(caught.value.lost)


@pytest.mark.parametrize("button", ["resume", "stop", "__exit__"])
def test_paused_work_waits_for_a_button_or_for_the_end_of_whoever_waits_for_it(button):
    switch = StopSwitch()
    switch.pause()
    assert switch.is_paused
    reached, ended = threading.Event(), threading.Event()

    def work():
        reached.set()
        with contextlib.suppress(Cancelled):
            switch.checkpoint()
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    assert reached.wait(10)
    assert not ended.wait(0.05)
    with switch if button == "__exit__" else contextlib.nullcontext():
        assert not ended.wait(0.05)
    if button != "__exit__":
        getattr(switch, button)()
    assert ended.wait(10)
    thread.join()
    assert switch.is_stopped is (button != "resume")
    assert not switch.is_paused
