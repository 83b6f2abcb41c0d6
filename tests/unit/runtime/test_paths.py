import os
from pathlib import Path

import pytest

from app.domain.errors import Expected, ReadOnly, Refused
from app.runtime import paths as module
from app.runtime.paths import Paths, create_private, resource


def test_everything_is_under_the_base_folder(basedir, monkeypatch):
    monkeypatch.delenv("FAMULUS_MODELS", raising=False)
    paths = Paths(basedir)
    for path in (paths.data, paths.config, paths.cache, paths.models, paths.runtime_dir, paths.log, paths.settings):
        assert path.is_relative_to(basedir)


def test_a_relative_base_folder_stays_where_it_was_named(basedir, monkeypatch):
    monkeypatch.chdir(basedir)
    paths = Paths(Path("here"))
    monkeypatch.chdir("/")
    assert paths.data == basedir / "here" / "data"


def test_a_model_folder_can_be_named(basedir, monkeypatch):
    monkeypatch.setenv("FAMULUS_MODELS", "/some/models")
    assert Paths(basedir).models == Path("/some/models")


def test_without_a_base_folder_the_system_chooses(monkeypatch, tmp_path):
    module._system.cache_clear()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Paths().data.name == "famulus"
    assert Paths().data != Paths().config
    module._system.cache_clear()


def test_folders_are_for_their_owner_alone(basedir):
    paths = Paths(basedir / "a" / "b")
    paths.create()
    for folder in (basedir / "a", basedir / "a" / "b", paths.data, paths.config, paths.cache, paths.log.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    paths.create()


def test_a_file_in_the_way(basedir):
    (basedir / "data").write_text("")
    with pytest.raises(Expected, match="cannot be used"):
        Paths(basedir).create()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(basedir):
    basedir.chmod(0o500)
    with pytest.raises(ReadOnly):
        create_private(basedir / "x" / "y")


def test_installations_have_names_of_their_own(basedir):
    assert Paths(basedir).identity == Paths(basedir).identity != Paths(basedir / "x").identity


def test_a_socket_is_beside_its_data_when_the_path_is_short(basedir, monkeypatch):
    short = Path("/tmp") / f"famulus-test-{os.getpid()}"  # noqa: S108
    assert Paths(short).runtime_dir == short / "run"
    monkeypatch.setattr(module, "_SOCKET_PATH_BYTES", 4096)
    assert Paths(basedir).socket().parent == basedir / "run"


def test_a_long_path_gets_a_short_socket_of_its_own(basedir, monkeypatch, tmp_path):
    last = tmp_path / "last"
    monkeypatch.setattr(module, "_last_resort", lambda: last)
    limit = len(os.fsencode(last)) + 30
    monkeypatch.setattr(module, "_SOCKET_PATH_BYTES", limit)
    deep = [basedir / ("d" * 100) / name for name in "ab"]
    sockets = [Paths(folder).socket() for folder in deep]
    assert {socket.parent for socket in sockets} == {last}
    assert len(set(sockets)) == 2
    assert last.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o720])
def test_a_socket_folder_that_others_can_write_is_refused(basedir, monkeypatch, tmp_path, mode):
    last = tmp_path / "last"
    last.mkdir()
    last.chmod(mode)
    monkeypatch.setattr(module, "_last_resort", lambda: last)
    monkeypatch.setattr(module, "_SOCKET_PATH_BYTES", len(os.fsencode(last)) + 30)
    with pytest.raises(Refused, match="somebody else"):
        Paths(basedir / ("d" * 100)).socket()


def test_a_socket_folder_that_is_a_link_is_refused(basedir, monkeypatch, tmp_path):
    (tmp_path / "target").mkdir(mode=0o700)
    last = tmp_path / "last"
    last.symlink_to(tmp_path / "target")
    monkeypatch.setattr(module, "_last_resort", lambda: last)
    monkeypatch.setattr(module, "_SOCKET_PATH_BYTES", len(os.fsencode(last)) + 30)
    with pytest.raises(Refused):
        Paths(basedir / ("d" * 100)).socket()


def test_no_path_is_short_enough(basedir, monkeypatch):
    monkeypatch.setattr(module, "_SOCKET_PATH_BYTES", 4)
    with pytest.raises(Refused, match="short enough"):
        Paths(basedir).socket()


def test_resources_exist():
    assert resource("locale").is_dir()
