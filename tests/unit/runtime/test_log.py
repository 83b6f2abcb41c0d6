import asyncio
import logging
import sys
import threading

import pytest

from app.domain.errors import Expected
from app.runtime import log

SECRET = "zebrafish-quartz"


@pytest.fixture(autouse=True)
def _restore():
    root, ours = logging.getLogger(), logging.getLogger("app")
    kept = root.handlers[:], root.level, ours.level, logging.raiseExceptions, sys.excepthook, threading.excepthook
    yield
    for handler in root.handlers:
        if handler not in kept[0]:
            handler.close()
    root.handlers[:], root.level, level, logging.raiseExceptions, sys.excepthook, threading.excepthook = kept
    ours.setLevel(level)


@pytest.fixture
def path(basedir):
    return basedir / "data" / "log" / "famulus.log"


def _raise_chain():
    try:
        int(SECRET)
    except ValueError as error:
        raise KeyError(SECRET) from error


def test_our_messages_are_written_and_errors_without_theirs(path):
    log.start(path, "info")
    try:
        _raise_chain()
    except KeyError:
        logging.getLogger("app.part").exception("chunk %d failed", 7)
    written = path.read_text("utf-8")
    assert "error app.part: chunk 7 failed" in written
    assert "KeyError(test_log.py:" in written
    assert "from ValueError(test_log.py:" in written
    assert SECRET not in written
    assert path.stat().st_mode & 0o777 == 0o600


def test_other_libraries_are_told_by_their_place(path):
    log.start(path, "debug")
    logging.getLogger("pypdf").warning("cannot read %s", SECRET)
    logging.getLogger("pypdf").info("nothing")
    logging.getLogger("application").error(SECRET)
    written = path.read_text("utf-8")
    assert "warning pypdf: (withheld) test_log.py:" in written
    assert SECRET not in written
    assert "nothing" not in written


def test_the_level_is_held(path):
    log.start(path, "warning")
    logging.getLogger("app.part").info("quiet")
    assert path.read_text() == ""


def test_one_record_is_one_line(path):
    log.start(path, "info")
    logging.getLogger("app.part").info("a%sb", "\n2025 error app: forged\x1b[31m\u2028")
    assert len(path.read_text("utf-8").splitlines()) == 1
    assert "\x1b" not in path.read_text("utf-8")


def test_starting_again_leaves_one_file_open(path):
    log.start(path, "info")
    log.start(path, "info")
    logging.getLogger("app.part").info("once")
    assert path.read_text().count("once") == 1


def test_quiet_means_quiet(capfd):
    log.start_quietly()
    logging.getLogger("app").error(SECRET)
    logging.getLogger("other").critical(SECRET)
    assert capfd.readouterr() == ("", "")


def test_a_full_disk_is_not_shouted_about(path, capfd, monkeypatch):
    log.start(path, "info")
    (handler,) = logging.getLogger().handlers
    monkeypatch.setattr(handler, "stream", None)
    monkeypatch.setattr(handler, "_open", lambda: (_ for _ in ()).throw(OSError(28, SECRET)))
    logging.getLogger("app").info("hello")
    assert capfd.readouterr() == ("", "")


def test_a_place_for_the_log_that_is_none(basedir):
    (basedir / "data").write_text("")
    with pytest.raises(Expected):
        log.start(basedir / "data" / "log" / "famulus.log", "info")


def test_what_nobody_caught_is_logged_not_printed(path, capfd):
    log.start(path, "info")
    loop = asyncio.new_event_loop()
    log.catch_unhandled(loop)
    thread = threading.Thread(target=_raise_chain)
    thread.start()
    thread.join()
    sys.excepthook(ValueError, ValueError(SECRET), None)
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    loop.call_soon(_raise_chain)
    loop.call_soon(loop.stop)
    loop.run_forever()
    loop.close()
    written = path.read_text("utf-8")
    assert written.count("nobody caught this") == 2
    assert "the loop met an error <- KeyError" in written
    assert SECRET not in written + "".join(capfd.readouterr())


def test_our_own_places_have_no_folders_of_the_machine():
    assert log._place(log.__file__).replace("\\", "/") == "app/runtime/log.py"
    assert log._place("/home/alice/secret/x.py") == "x.py"


def test_a_circle_of_causes_ends():
    one, other = ValueError(), KeyError()
    one.__cause__, other.__cause__ = other, one
    assert log.describe(one).count("from") < 20


def test_a_process_without_a_file_logs_to_who_started_it_and_quotes_nobody(capfd):
    log.start_on_stderr("warning")
    logging.getLogger("app.x").warning("a count of %d", 3)
    logging.getLogger("library").warning("about %s", SECRET)
    out, err = capfd.readouterr()
    assert out == ""
    assert "a count of 3" in err
    assert SECRET not in err
