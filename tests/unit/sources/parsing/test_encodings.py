from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sources.parsing.encodings import codec_for, decode, is_text
from app.sources.parsing.sniffing import sniff

CHINESE = (
    "今天下午三点开会请准时参加",
    "项目启动会定在周三上午",
    "发票已经寄出请查收",
    "我们下周讨论合同的细节",
    "购物清单：牛奶、鸡蛋、面包",
    "国庆假期我们去杭州西湖，酒店订在断桥附近。\n",
    "密码已重置，请尽快登录修改",
    "谢谢您的来信",
    "北京",
    "联通公司",
    "通知",
)


@pytest.mark.parametrize("text", CHINESE)
def test_short_chinese_in_gbk_is_read_right(text):
    assert decode(text.encode("gbk")).text == text


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        ("專案啟動會定在週三上午", "big5", "Big5"),
        ("請儘快登入修改密碼，謝謝您", "big5", "Big5"),
        ("今日の午後三時に会議があります", "shift_jis", "SHIFT_JIS"),
        ("①今日の午後三時に会議があります", "cp932", "CP932"),
        ("プロジェクトの開始は水曜日です", "euc_jp", "EUC-JP"),
        ("プロジェクトの開始は水曜日です", "iso2022_jp", "ISO-2022-JP"),
        ("오늘 오후 세 시에 회의가 있습니다", "euc_kr", "EUC-KR"),
        ("Сегодня в три часа совещание", "cp1251", "windows-1251"),
        ("Сегодня в три часа совещание", "koi8_r", "KOI8-R"),
        ("Déjà vu à l'été, garçon très fatigué", "cp1252", "windows-1252"),
        ("Zażółć gęślą jaźń", "cp1250", "windows-1250"),
        ("Η συνάντηση είναι την Τετάρτη", "cp1253", "windows-1253"),
        ("项目启动会定在周三上午", "gb2312", "GB2312"),
        ("鎔基與喆來了，項目啟動", "gbk", "GBK"),
        ("𠮷野家在项目启动会", "gb18030", "GB18030"),
    ],
)
def test_the_encoding_is_named_by_the_smallest_that_holds_the_text(text, codec, name):
    decoded = decode(text.encode(codec))
    assert (decoded.text, decoded.encoding, decoded.has_losses) == (text, name, False)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["项目启动会定在周三上午", "plain English text", "mixed 中文 and Latin\nлиния"])
def test_wide_text_with_and_without_a_mark(codec, text):
    assert decode(text.encode(codec)).text == text
    assert decode(("\ufeff" + text).encode(codec)).text == text


def test_marks_are_told_and_left_out():
    assert decode("\ufeffx é".encode()).encoding == "utf-8-sig"
    assert decode("\ufeffx é".encode()).text == "x é"
    assert decode(b"plain").encoding == "ascii"
    assert decode("naïve".encode()).encoding == "utf-8"
    assert decode(b"").text == ""


def test_what_a_document_says_is_believed_when_it_fits():
    data = "Grüße".encode("latin-1")
    assert decode(data, "iso-8859-1").text == "Grüße"
    assert decode("привет".encode("koi8-r"), "koi8-r").text == "привет"
    assert decode("你好世界".encode(), "gb2312").text == "浣犲ソ涓栫晫"  # it fits, so it is what was said
    assert decode("请准时参加会议".encode("gbk"), "us-ascii").text == "请准时参加会议"
    assert decode("请准时参加会议".encode("gbk"), "iso-8859-1").text == "请准时参加会议"
    assert decode("请准时参加会议".encode(), "no-such-charset").text == "请准时参加会议"


def test_a_broken_place_does_not_cost_the_rest():
    data = "这是一个比较长的句子，只有一个地方坏了。".encode() + b"\xff" + b" end"
    decoded = decode(data)
    assert decoded.encoding == "utf-8"
    assert decoded.has_losses
    assert decoded.text.startswith("这是一个")


def test_codecs_that_are_no_charsets_are_not_used():
    for label in ("idna", "punycode", "unicode_escape", "rot13", "base64", "zlib", "hex", "", "\0"):
        assert codec_for(label) is None


def test_binary_is_no_text():
    assert not is_text(decode(bytes(range(256)) * 8))
    assert is_text(decode("文本\twith tabs\r\n".encode("gbk")))


@given(st.binary(max_size=400))
def test_anything_decodes(data):
    decode(data)


WORDS = (
    "plain",
    "été",
    "naïve",
    "Straße",
    "łódź",
    "α",
    "λόγος",
    "дом",
    "שלום",
    "今天",
    "カナ",
    "한글",
    "e\u0301",
    "\n",
)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=40))
def test_utf8_comes_back(words):
    text = " ".join(words)
    decoded = decode(text.encode())
    assert decoded.encoding in {"utf-8", "ascii"}
    assert decoded.text == text


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-le", "gb18030"])
def test_a_long_text_is_cut_between_its_lines(codec):
    lines = "会议改到周三\n下午，请转告大家。\n" * 400
    sniffed = sniff(lines.encode(codec), "x.txt", text_chars=331)
    assert sniffed.decoded is not None
    assert not sniffed.is_whole
    assert not sniffed.decoded.has_losses
    assert sniffed.decoded.text.startswith(lines[:331])


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_a_long_text_without_lines_is_cut_between_its_characters(codec):
    sniffed = sniff(("会议改到周三下午" * 400).encode(codec), "x.txt", text_chars=331)
    assert sniffed.decoded is not None
    assert not sniffed.is_whole
    assert not sniffed.decoded.has_losses
