"""Where a client's token comes from, and that nothing is loaded for it before it is asked for."""

import pytest

from app.bootstrap import serving
from app.domain.errors import Denied
from app.runtime.paths import Paths


@pytest.fixture
def served(monkeypatch):
    found = []
    monkeypatch.setattr("app.mcp_server.stdio.serve", lambda paths, find: found.append(find) or 0)
    monkeypatch.setattr("app.mcp_server.http.serve", lambda paths, port: found.append(port) or 0)
    monkeypatch.setattr("app.runtime.log.start_on_stderr", lambda level: None)
    return found


def test_the_environment_comes_before_the_keychain(served, monkeypatch, basedir):
    monkeypatch.setenv("FAMULUS_CLIENT_TOKEN", "fam_x")
    assert serving.run(Paths(basedir), client="mate", http_port=None) == 0
    assert served[0]() == "fam_x"


def test_without_a_client_the_person_is_asked(served, monkeypatch, basedir):
    monkeypatch.delenv("FAMULUS_CLIENT_TOKEN", raising=False)
    serving.run(Paths(basedir), client=None, http_port=None)
    assert served == [None]


def test_the_keychain_is_asked_late_and_its_lack_is_said(served, monkeypatch, basedir):
    monkeypatch.delenv("FAMULUS_CLIENT_TOKEN", raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    serving.run(Paths(basedir), client="mate", http_port=None)
    (find,) = served
    with pytest.raises(Denied):
        find()


def test_a_port_is_http(served, basedir):
    serving.run(Paths(basedir), client=None, http_port=5)
    assert served == [5]
