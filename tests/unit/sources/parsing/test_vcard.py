"""Contact cards of every version (vCard 2.1, RFC 2426, RFC 6350)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Unreadable
from app.domain.labels import EntryKind
from app.sources.parsing import vcard
from app.sources.parsing.dispatch import parse_content
from app.sources.parsing.encodings import Decoded
from app.sources.parsing.vcard_lines import cards, split, unescaped
from tests.unit.sources.makers import about


def card(*lines: str, version: str = "3.0") -> str:
    return "\r\n".join(["BEGIN:VCARD", f"VERSION:{version}", *lines, "END:VCARD", ""])


def read(text: str | bytes):
    data = text.encode() if isinstance(text, str) else text
    return parse_content(data, about("people.vcf"))


def only(*lines: str, version: str = "3.0"):
    (entry,) = read(card(*lines, version=version)).entries
    return entry


def test_an_english_card():
    entry = only(
        "UID:u-1", "FN:Ann Lee", "N:Lee;Ann;;Dr.;", "NICKNAME:Annie,A.L.", "ORG:Acme;Research",
        "TITLE:Engineer", "EMAIL;TYPE=INTERNET,WORK:ann@acme.example", "TEL;TYPE=cell:+44 20 7946 0000",
        "ADR;TYPE=home:;;5 Main Street;London;;N1;UK", "BDAY:1985-04-12", "NOTE:Met in Oslo\\, 2019.\\n\\nLikes tea.",
        "IMPP:xmpp:ann@chat.example", "CATEGORIES:friends,work",
    )  # fmt: skip
    assert (entry.kind, entry.title, entry.fragment) == (EntryKind.CONTACT, "Ann Lee", "u-1")
    facts = entry.contact
    assert facts.names == ("Ann Lee", "Annie", "A.L.")
    assert facts.addresses == ("ann@acme.example",)
    assert facts.phones == ("+44 20 7946 0000",)
    assert facts.accounts == ("xmpp:ann@chat.example",)
    assert (facts.organisation, facts.role, facts.birthday) == ("Acme, Research", "Engineer", "1985-04-12")
    assert [(one.name, one.address, one.role) for one in entry.people] == [("Ann Lee", "ann@acme.example", "self")]
    assert entry.metadata["categories"] == "friends, work"
    first, *notes = [block.text for block in entry.blocks]
    assert first.splitlines() == [
        "Ann Lee (Annie, A.L.)", "Role: Engineer", "Organisation: Acme, Research", "Phone: +44 20 7946 0000 (cell)",
        "Email: ann@acme.example (work)", "Account: xmpp:ann@chat.example",
        "Address: 5 Main Street, London, N1, UK (home)", "Birthday: 1985-04-12",
    ]  # fmt: skip
    assert notes == ["Met in Oslo, 2019.", "Likes tea."]


def test_a_chinese_card():
    entry = only(
        "FN:陈晓明", "N:陈;晓明;;;", "X-PHONETIC-LAST-NAME:Chen", "X-PHONETIC-FIRST-NAME:Xiaoming", "ORG:蓝海科技",
        "TITLE:产品经理", "TEL;TYPE=CELL:138 0000 1111", "ADR:;;科技路8号;西安;陕西;710000;中国", "X-QQ:10001",
        "BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-06",
    )  # fmt: skip
    assert entry.contact.names == ("陈晓明", "Chen Xiaoming")
    assert entry.contact.accounts == ("qq:10001",)
    assert entry.contact.birthday == "--05-06"
    lines = entry.blocks[0].text.splitlines()
    assert lines[1:4] == ["职务: 产品经理", "单位: 蓝海科技", "电话: 138 0000 1111 (cell)"]
    assert "地址: 中国陕西西安科技路8号 710000" in lines


def test_a_name_only_by_its_parts():
    assert only("N:王;芳;;;").title == "王芳"
    assert only("N:Doe;John;Quincy;Mr.;Jr.").title == "John Quincy Doe"
    assert only("N:Roe;Jane,J.;;;").title == "Jane J. Roe"
    assert only("FN:Wang Fang", "N:王;芳").contact.names == ("Wang Fang", "王芳")


def test_quoted_printable_with_a_charset_and_soft_line_breaks():
    gbk = "".join(f"={byte:02X}" for byte in "刘备".encode("gbk"))
    utf8 = "".join(f"={byte:02X}" for byte in "北京市朝阳区".encode())
    text = card(
        f"N;CHARSET=GBK;ENCODING=QUOTED-PRINTABLE:{gbk[:6]}=\r\n{gbk[6:]};", "TEL;CELL;PREF:123",
        f"ADR;HOME;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:;;{utf8};;;;", "X-SKYPE:liu", version="2.1",
    )  # fmt: skip
    (entry,) = read(text).entries
    assert entry.title == "刘备"
    assert entry.contact.accounts == ("skype:liu",)
    assert "地址: 北京市朝阳区 (home)" in entry.blocks[0].text


@pytest.mark.parametrize("encoding", ["gbk", "utf-16", "utf-8-sig"])
def test_cards_in_other_encodings(encoding):
    text = card("FN;CHARSET=GBK:赵云", "NOTE;CHARSET=GBK:常山人，今天下午三点见面讨论项目进度", version="2.1")
    assert read(text.encode(encoding)).entries[0].title == "赵云"


def test_folded_lines_and_pictures_are_no_text():
    picture = "\r\n".join([" " + "QUJD" * 15] * 200)
    entry = only("FN:Long", " er Name", f"PHOTO;ENCODING=b;TYPE=JPEG:QUJD\r\n{picture}", "NOTE:after")
    assert entry.title == "Longer Name"
    assert [block.text for block in entry.blocks] == ["Longer Name", "after"]


def test_groups_and_their_labels():
    entry = only("FN:Bo", "item1.TEL:12345", "item1.X-ABLabel:_$!<HomeFax>!$_", "item2.EMAIL:bo@x.example",
                 "item2.X-ABLabel:club")  # fmt: skip
    assert "Phone: 12345 (HomeFax)" in entry.blocks[0].text
    assert "Email: bo@x.example (club)" in entry.blocks[0].text


def test_several_cards_in_one_file_each_once():
    parsed = read(card("FN:A", "UID:1") + card("FN:B") + card("FN:A", "UID:1") + card("FN:C", "UID:1"))
    assert [entry.title for entry in parsed.entries] == ["A", "B", "C"]
    assert len({entry.fragment for entry in parsed.entries}) == 3
    assert parsed.facts["contacts"] == 4


def test_a_firm_and_a_list_are_nobody():
    firm = only("FN:Acme Ltd", "X-ABShowAs:COMPANY", "ORG:Acme Ltd", "TEL:1")
    assert firm.people == ()
    assert firm.contact.organisation == "Acme Ltd"
    members = only("FN:Choir", "KIND:group", "MEMBER:urn:uuid:1", version="4.0")
    assert (members.people, members.contact, members.title) == ((), None, "Choir")


def test_a_card_within_a_card_and_one_without_an_end():
    nested = card("FN:Boss", "AGENT:\r\nBEGIN:VCARD\r\nFN:Helper\r\nEND:VCARD", "TEL:7", version="2.1")
    (entry,) = read(nested).entries
    assert (entry.title, entry.contact.phones) == ("Boss", ("7",))
    unended = "BEGIN:VCARD\r\nFN:One\r\nBEGIN:VCARD\r\nFN:Two\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:Three"
    assert [entry.title for entry in read(unended).entries] == ["One", "Two", "Three"]


def test_the_hash_is_of_the_person_and_not_of_the_export():
    old, new = only("FN:A", "REV:20250101T000000Z"), only("FN:A", "REV:20250202T000000Z", "PRODID:-//x//")
    assert old.content_hash == new.content_hash
    assert old.updated_at < new.updated_at
    assert old.content_hash != only("FN:A", "TEL:1").content_hash


@pytest.mark.parametrize("said", ["yesterday", "2025-13-45", "--02-30", "", "0000-00-00"])
def test_a_birthday_that_is_none(said):
    assert only("FN:A", f"BDAY:{said}").contact.birthday == ""


@pytest.mark.parametrize(("said", "day"), [("19850412", "1985-04-12"), ("--0229", "--02-29"), ("--12-31", "--12-31"),
                                           ("1985-04-12T08:00:00Z", "1985-04-12")])  # fmt: skip
def test_birthdays_as_they_are_written(said, day):
    assert only("FN:A", f"BDAY:{said}").contact.birthday == day


def test_no_card_is_refused_and_an_empty_one_is_told():
    with pytest.raises(Unreadable):
        read("BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n")
    parsed = read(card("FN:A") + card("N:;;;;"))
    assert [entry.title for entry in parsed.entries] == ["A"]
    assert parsed.warnings


@pytest.mark.timeout(20)
def test_hostile_cards_are_quick():
    for text in (
        card("FN:" + "x" * 3_000_000),
        card("A" * 1_000_000, "FN:x"),
        "BEGIN:VCARD\r\n" * 50_000 + "FN:x\r\n",
        card("FN:x", *["AGENT:\r\nBEGIN:VCARD"] * 30_000),
        card("FN;ENCODING=QUOTED-PRINTABLE:" + "=\r\n" * 100_000, "TEL:1"),
        card("N:" + "\\;" * 300_000, 'TEL;TYPE="' + ";" * 100_000),
    ):
        vcard.parse(Decoded(text, "utf-8", has_losses=False), about("x.vcf"))


@given(st.text(alphabet=st.sampled_from('BEGIN:VCARD\r\n;=\\",N.F\0\ud800 é中'), max_size=300))
def test_anything_is_read_or_refused(text):
    try:
        parsed = vcard.parse(Decoded("BEGIN:VCARD\n" + text, "utf-8", has_losses=False), about("x.vcf"))
    except Unreadable:
        return
    assert parsed.entries


@given(st.lists(st.text(alphabet="ab;\\,\n", max_size=6), min_size=1, max_size=5))
def test_what_is_escaped_comes_apart_again(parts):
    joined = ";".join(
        part.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n") for part in parts
    )
    assert [unescaped(part) for part in split(joined, ";")] == parts


def test_cards_are_read_lazily_from_any_line_ends():
    text = card("FN:A").replace("\r\n", "\r") + card("FN:B").replace("\r\n", "\n")
    assert [[one.text for one in found if one.name == "FN"] for found in cards(text)] == [["A"], ["B"]]
