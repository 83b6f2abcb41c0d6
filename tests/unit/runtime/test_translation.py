import gettext

import pytest

from app.domain.text import Text, msg
from app.runtime import environment, translation
from app.runtime.translation import closest, translate, translator, use_language

GERMANISH = {
    "Hello": "你好",
    "{n} files in {where}": "{where} 中有 {n} 个文件",
    "Notes": "笔记",
    "{a}": "{wrong}",
    "{day} {time}": "从 {day} {time}",
}


@pytest.fixture
def catalogue(monkeypatch):
    class Catalogue(gettext.NullTranslations):
        def gettext(self, message):
            return GERMANISH.get(message, message)

    monkeypatch.setattr(translation._Current, "catalogue", Catalogue())


@pytest.fixture(autouse=True)
def _english():
    yield
    use_language("en")


def test_english_needs_nothing():
    assert use_language("en") == "en"
    assert translate(msg("{n} files", n=3)) == "3 files"
    assert translate("Hello") == "Hello"


def test_sentences_and_the_sentences_inside_them(catalogue):
    assert translate("Hello") == "你好"
    assert translate(msg("{n} files in {where}", n=2, where=msg("Notes"))) == "笔记中有 2 个文件"


def test_data_is_not_translated(catalogue):
    assert translate(msg("{n} files in {where}", n="Hello", where="Notes")) == "Notes 中有 Hello 个文件"


@pytest.mark.parametrize(
    ("where", "n", "said"),
    [
        ("Work", 3, "Work 中有 3 个文件"),
        ("工作", 3, "工作中有 3 个文件"),
        ("“工作”", "三", "“工作”中有三个文件"),
        ("工作 二", "", "工作 二中有  个文件"),
    ],
)
def test_chinese_beside_chinese_has_no_space_between(catalogue, where, n, said):
    assert translate(msg("{n} files in {where}", n=n, where=where)) == said


def test_places_beside_each_other_are_parted_by_what_they_hold(catalogue):
    assert translate(msg("{day} {time}", day="今天", time="下午")) == "从今天下午"
    assert translate(msg("{day} {time}", day="今天", time="15:00")) == "从今天 15:00"


def test_a_wrong_translation_hides_nothing(catalogue):
    assert translate(msg("{a}", a="x")) == "x"


def test_an_empty_sentence_is_empty():
    use_language("zh_CN")
    assert translate("") == ""
    assert translate(Text("")) == ""


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        (("zh_CN.UTF-8",), "zh_CN"),
        (("zh-Hans-CN",), "zh_CN"),
        (("zh_TW",), "zh_CN"),
        (("de_DE", "zh_CN"), "zh_CN"),
        (("en_GB", "zh_CN"), "en"),
        (("C.UTF-8",), "en"),
        (("POSIX",), "en"),
        (("fr",), "en"),
        ((), "en"),
        (("",), "en"),
    ],
)
def test_the_closest_language(wanted, language):
    assert closest(wanted) == language


def test_auto_follows_the_system(monkeypatch):
    for name in environment._LANGUAGES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert use_language("auto") == "zh_CN"
    assert translation.language() == "zh_CN"
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    assert use_language("auto") == "en"
    monkeypatch.setenv("LANGUAGE", "zh:en")
    assert use_language("auto") == "zh_CN"


def test_what_is_kept_is_written_in_the_persons_language_whatever_is_in_use_here():
    use_language("en")
    chosen, say = translator("zh_CN")
    assert chosen == "zh_CN"
    assert say(msg("Options")) == "选项"
    assert translate(msg("Options")) == "Options"
    assert translator("en")[1](msg("Options")) == "Options"
