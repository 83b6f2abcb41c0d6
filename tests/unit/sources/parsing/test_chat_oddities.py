"""What real exports have besides messages: notices, media, edits, homonyms, a cut end (G1.1, X9.3)."""

from __future__ import annotations

import json

import pytest

from tests.unit.sources.parsing.test_chat import parsed, said, stamps

QQ_FRIEND = """消息记录（此消息记录为文本格式，不支持重新导入）

================================================================
消息分组:我的好友
================================================================
消息对象:老周
================================================================

2024-05-14 21:05:03 老周
周五去看船

2024-05-14 21:06:03 我
[图片]

"""


def people(text: str, name: str = "_chat.txt") -> set[tuple[str, str]]:
    return {(person.name, person.address) for entry in parsed(text, name).entries for person in entry.people}


def test_what_a_program_says_in_the_name_of_a_group_is_nobodys() -> None:
    text = (
        "[14/05/24, 9:05:03 PM] Boat club: \u200eMessages and calls are end-to-end encrypted. Nobody can read them.\n"
        "[14/05/24, 9:06:03 PM] ~\u202fAnn: Hello \u200e<This message was edited>\n"
        "[14/05/24, 9:07:03 PM] Ben: \u200eThis message was deleted.\n"
    )
    assert people(text) == {("Ann", ""), ("Ben", "")}
    assert said(parsed(text, "_chat.txt"))[1:] == ["Ann: Hello"]


@pytest.mark.parametrize(
    "text",
    [
        "圖片已略去",
        "<省略多媒体文件>",
        "<省略媒体文件>",
        "已忽略视频",
        "<多媒體檔案已略去>",
        "此消息已删除",
        "這則訊息已刪除。",
    ],
)
def test_chinese_remarks_are_no_messages(text: str) -> None:
    chat = f"2024/5/14 下午9:05 - 张三: 你好\n2024/5/14 下午9:06 - 李四: {text}\n"
    assert said(parsed(chat, "与张三的 WhatsApp 聊天.txt")) == ["张三: 你好"]


@pytest.mark.parametrize("text", ["图片", "视频会议改到三点", "省略号", "我删除了这条消息记录的备份"])
def test_words_about_media_are_messages(text: str) -> None:
    chat = f"2024/5/14 下午9:05 - 张三: 你好\n2024/5/14 下午9:06 - 李四: {text}\n"
    assert said(parsed(chat, "与张三的 WhatsApp 聊天.txt"))[1] == f"李四: {text}"


@pytest.mark.parametrize("encoding", ["gbk", "utf-8-sig", "utf-16"])
def test_friends_in_qq_stand_without_their_numbers(encoding: str) -> None:
    result = parsed(QQ_FRIEND.encode(encoding), "老周.txt")
    assert (result.facts["app"], said(result), stamps(result)) == ("qq", ["老周: 周五去看船"], ["2024-05-14 21:05"])


def test_two_of_one_name_in_one_group_are_two() -> None:
    text = QQ_FRIEND.replace("03 老周", "03 【群主】王伟(1234567)").replace("03 我", "03 王伟(7654321)")
    assert people(text, "群.txt") == {("王伟", "qq:1234567"), ("王伟", "qq:7654321")}


def telegram() -> str:
    def message(number: int) -> dict[str, object]:
        return {
            "id": number,
            "type": "message",
            "date": "2024-05-14T21:05:00",
            "date_unixtime": str(1715691900 + number),
            "from": "Ann",
            "from_id": "user1",
            "text": f"message {number}",
        }

    chats = [
        {"name": f"Chat {number}", "type": "personal_chat", "id": number, "messages": [message(1), message(2)]}
        for number in (7, 8)
    ]
    about = {"about": "Here is the data from Telegram.", "personal_information": {"first_name": "Me", "last_name": ""}}
    return json.dumps(about | {"chats": {"list": chats}})


def test_of_a_cut_export_every_chat_keeps_its_whole_messages_and_its_identity() -> None:
    whole = telegram()
    cut = parsed(whole[: whole.rindex("message 2")], "result.json")
    assert said(cut) == ["Ann: message 1", "Ann: message 2", "Ann: message 1"]
    assert [entry.thread for entry in cut.entries] == [entry.thread for entry in parsed(whole, "result.json").entries]
    assert {entry.metadata["me"] for entry in cut.entries} == {"Me"}
    assert cut.warnings


def test_a_cut_thread_keeps_its_whole_messages() -> None:
    messages = [
        {"sender_name": "Ann", "timestamp_ms": 1715691900000 + number, "content": f"m{number}"} for number in (1, 2)
    ]
    whole = json.dumps({"messages": [*messages, {"sender_name": "Ann", "timestamp_ms": True, "content": "no time"}]})
    assert said(parsed(whole, "message_1.json")) == ["Ann: m1", "Ann: m2"]
    cut = parsed(whole[: whole.index('"m2')], "message_1.json")
    assert said(cut) == ["Ann: m1"]
    assert cut.warnings


def test_what_a_poll_asks_is_said() -> None:
    poll = {"question": "Where?", "answers": [{"text": "Harbour"}, {"text": "Lake"}]}
    message = {"id": 1, "type": "message", "date_unixtime": "1715691900", "from": "Ann", "from_id": "user1"}
    text = json.dumps({"name": "A", "messages": [message | {"text": "", "poll": poll}]})
    assert said(parsed(text, "result.json")) == ["Ann: Where?\nHarbour\nLake"]


def test_a_table_of_wechat_names_people_by_their_remarks() -> None:
    text = (
        "localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender\n"
        "1,5,1,0,0,1715691900,,明天见,2024-05-14 21:05:00,老周,周强,wxid_abc1\n"
        "2,5,3,0,1,1715691960,,<msg><img/></msg>,2024-05-14 21:06:00,,我,wxid_me\n"
    )
    assert people(text, "x.csv") == {("老周", "wechat:wxid_abc1"), ("我", "wechat:wxid_me")}
    assert said(parsed(text, "x.csv")) == ["老周: 明天见"]
