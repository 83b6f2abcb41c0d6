import errno
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadInput, DiskFull, FromTheFuture, ReadOnly
from app.settings import file
from app.settings.declarations import BY_NAME, DECLARATIONS, LANGUAGE, MAX_DELETED_SHARE, READERS, WATCH
from app.settings.migrations import current_version, migrate
from app.settings.settings import Settings


@pytest.fixture
def path(basedir):
    return basedir / "config" / "famulus.toml"


def _file(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_without_a_file_every_setting_has_its_default(path):
    settings = Settings(path)
    assert [settings.get(setting) for setting in DECLARATIONS] == [setting.default for setting in DECLARATIONS]
    assert settings.problems == ()
    assert not path.exists()


@pytest.mark.parametrize("setting", DECLARATIONS, ids=lambda setting: setting.name)
def test_every_default_is_allowed_and_survives_being_written(setting, path):
    assert setting.kind.check(setting.default) == setting.default
    settings = Settings(path)
    settings.change(setting.name, setting.kind.show(setting.default))
    assert Settings(path).get(setting) == setting.default
    assert not Settings(path).is_default(setting)
    assert str(setting.meaning).endswith(".")
    assert str(setting.kind.allowed)


def test_values_are_read_with_their_types(path):
    _file(path, '[interface]\nlanguage = "zh_CN"\n[sync]\nwatch = false\nmax_deleted_share = 1\n')
    settings = Settings(path)
    assert settings.get(LANGUAGE) == "zh_CN"
    assert settings.get(WATCH) is False
    assert settings.get(MAX_DELETED_SHARE) == 1.0
    assert settings.text("sync.watch") == "false"
    assert settings.problems == ()


@pytest.mark.parametrize(
    "line",
    [
        'readers = "3"',
        "readers = true",
        "readers = 0",
        "readers = 17",
        "readers = 2.0",
        "readers = []",
        "readers = nan",
    ],
)
def test_a_bad_value_is_told_and_the_default_used(path, line):
    settings = Settings(_file(path, f"[store]\n{line}\n"))
    assert settings.get(READERS) == READERS.default
    (problem,) = settings.problems
    assert isinstance(problem, BadInput)
    assert "store.readers" in str(problem)
    assert "1 to 16" in str(problem.next_step)


def test_a_change_keeps_comments_unknown_keys_and_order(path):
    _file(path, '# mine\n[store]\nreaders = 2 # few\nodd = "kept"\n\n[future]\nx = 1\n')
    settings = Settings(path)
    assert {"store.odd", "future.x"} <= {str(p).split(": ")[-1].rstrip(".") for p in settings.problems}
    settings.change("store.readers", "5")
    assert settings.get(READERS) == 5
    written = path.read_text("utf-8")
    for kept in ("# mine", "# few", 'odd = "kept"', "[future]", "readers = 5"):
        assert kept in written
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_change_takes_what_a_person_changed_meanwhile(path):
    settings = Settings(path)
    _file(path, "[store]\nreaders = 2\n")
    settings.change("interface.theme", "dark")
    assert settings.get(READERS) == 2


def test_no_change_for_a_bad_value_or_name(path):
    settings = Settings(_file(path, "[store]\nreaders = 2\n"))
    with pytest.raises(BadInput, match="readers"):
        settings.change("store.readers", "many")
    with pytest.raises(BadInput, match="no setting"):
        settings.change("store.nothing", "1")
    with pytest.raises(BadInput, match="no setting"):
        settings.text("")
    assert path.read_text() == "[store]\nreaders = 2\n"


@pytest.mark.parametrize("text", ["[store", "\x00", "[a]\n[a]\n", "a = " + "[" * 3000])
def test_a_file_that_is_no_toml_is_left_alone(path, text):
    settings = Settings(_file(path, text))
    assert settings.get(READERS) == READERS.default
    assert len(settings.problems) == 1
    with pytest.raises(BadInput):
        settings.change("store.readers", "5")
    assert path.read_text() == text


def test_a_file_in_another_encoding_is_left_alone(path):
    path.parent.mkdir(parents=True)
    path.write_bytes("[store] # 中文\n".encode("gbk"))
    assert isinstance(Settings(path).problems[0], BadInput)


def test_a_file_from_the_future_is_read_and_not_changed(path):
    settings = Settings(_file(path, "version = 99\n[store]\nreaders = 2\n"))
    assert settings.get(READERS) == 2
    assert isinstance(settings.problems[0], FromTheFuture)
    with pytest.raises(FromTheFuture):
        settings.change("store.readers", "5")


def test_an_old_file_is_migrated_when_read_and_when_written(path):
    def rename(parsed):
        parsed["store"]["readers"] = parsed["store"].pop("connections")

    _file(path, "[store]\nconnections = 7 # c\n")
    settings = Settings(path, steps=(rename,))
    assert settings.get(READERS) == 7
    assert "connections" in path.read_text()
    settings.change("interface.theme", "dark")
    assert settings.get(READERS) == 7
    assert "version = 2" in path.read_text()
    assert "connections" not in path.read_text()


def test_a_step_is_taken_once():
    parsed = {"version": 2}
    migrate(parsed, (lambda _: pytest.fail("taken again"),))
    assert parsed == {"version": 2}
    assert current_version(()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_cannot_be_written(path):
    path.parent.mkdir(parents=True)
    path.parent.chmod(0o500)
    with pytest.raises(ReadOnly):
        Settings(path).change("store.readers", "5")


def test_a_file_where_a_folder_should_be(path):
    path.parent.parent.mkdir(exist_ok=True)
    path.parent.write_text("")
    settings = Settings(path)
    assert len(settings.problems) == 1
    with pytest.raises(Exception, match="cannot be used"):
        settings.change("store.readers", "5")


@given(st.sampled_from([s for s in DECLARATIONS if hasattr(s.kind, "low")]), st.data())
def test_every_number_in_the_range_comes_back(setting, data):
    kind = setting.kind
    if isinstance(kind.low, int):
        number = data.draw(st.integers(kind.low, kind.high))
    else:
        number = data.draw(st.floats(kind.low, kind.high))
    assert kind.parse(kind.show(number)) == number


@given(st.sampled_from(DECLARATIONS), st.text())
def test_any_text_is_allowed_or_a_value_error(setting, text):
    try:
        value = setting.kind.parse(text)
    except ValueError:
        return
    assert setting.kind.check(value) == value


def test_names_are_sections_and_keys():
    assert len(BY_NAME) == len(DECLARATIONS)
    assert all(setting.section and setting.key and setting.key.isidentifier() for setting in DECLARATIONS)


@pytest.mark.parametrize("text", ["<ctrl>+<alt>+<space>", "<ctrl>+k", "<cmd>+<shift>+f", "<f1>+x"])
def test_hotkeys(text):
    assert BY_NAME["interface.hotkey"].kind.parse(text) == text


@pytest.mark.parametrize("text", ["", "ctrl+k", "<ctrl>", "<ctrl>+", "k", "<ctrl>+k "[:-1] + " x", "<ctrl>k"])
def test_no_hotkeys(text):
    with pytest.raises(ValueError, match="form"):
        BY_NAME["interface.hotkey"].kind.parse(text)


def test_a_disk_that_is_full_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "famulus.toml"
    path.write_bytes(b"old")

    def full(_descriptor):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(file.os, "fsync", full)
    with pytest.raises(DiskFull):
        file.write_whole(path, b"new")
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("famulus.toml", b"old")]
