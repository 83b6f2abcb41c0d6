"""Names under which a person is known to a service: QQ, WeChat, Weibo, user names, handles (L5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.policy.redaction.findings import Kind
from app.policy.redaction.rules import apply, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.policy.redaction.findings import Finding

_SAY = r"(?:号码|账号|帐号|号|昵称|id|ID)?[ :：=是为]{0,4}"
_RULES = (
    # Japanese and Korean forms; their names in prose are left to a model.
    rule(
        Kind.PERSON,
        r"(?:お?名前|氏名|이름|성명|성함)[ :：は은는]{1,3}(?P<v>[^\s、，,。.!:：0-9]{2,10}?)"
        r"(?=さん|様|です|[\s、，,。.]|\Z)",
        weight=0.8,
    ),
    rule(
        Kind.USER_NAME,
        rf"(?<![A-Za-z])(?:QQ|企鹅|扣扣|球球)(?:邮箱)?(?:群|群号)?{_SAY}(?P<v>[1-9]\d{{4,11}})(?!\d)",
        weight=0.85,
    ),
    rule(
        Kind.USER_NAME,
        r"(?:微信号?|薇信|威信|微号|(?<![A-Za-z])(?:wechat|weixin|wx|vx|v信|vx号|wxid))(?: ?id)?"
        r"(?:号码|账号|帐号|号)?[ :：=是为]{0,4}(?:is )?(?P<v>[A-Za-z][A-Za-z0-9_-]{5,19})(?![A-Za-z0-9_-])",
        weight=0.85,
    ),
    rule(Kind.USER_NAME, r"(?<![A-Za-z0-9_])wxid_[a-z0-9]{8,24}(?![A-Za-z0-9_])", weight=0.9),
    rule(
        Kind.USER_NAME,
        r"(?:微博|抖音|快手|小红书|知乎|b站|哔哩哔哩|豆瓣|支付宝|淘宝|京东|钉钉|飞书|陌陌|贴吧|github|gitee"
        r"|steam|csdn|line|领英|推特)"
        r"(?:号码|账号|帐号|昵称|用户名|号|名|id|uid"
        r"|账户)[ :：=是为@]{0,4}(?P<v>[A-Za-z0-9_\-.@]{3,40})(?![A-Za-z0-9_])",
        weight=0.8,
    ),
    rule(
        Kind.USER_NAME, r"(?:微博|抖音|小红书|知乎|b站)[ :：]{0,2}@(?P<v>[A-Za-z0-9_\-\u4e00-\u9fff]{2,20})", weight=0.8
    ),
    rule(
        Kind.USER_NAME,
        r"(?:user ?name|user[_-]?id|userid|login(?: name)?|screen ?name|nickname|gamertag"
        r"|handle|用户名|登录名|登陆名|用户id|用户账号|账号名|昵称|网名)"
        r"[\"']?(?: ?[:=：] ?| is |[是为叫] ?)[\"'@]?(?P<v>[A-Za-z0-9_][A-Za-z0-9_.\-]{2,40})(?![A-Za-z0-9_])",
        weight=0.7,
    ),
    rule(
        Kind.USER_NAME,
        r"\b(?:twitter|instagram|insta|ig|facebook|snapchat|snap|tiktok|telegram|discord|skype|linkedin"
        r"|reddit|github|venmo|cash ?app|signal|line|whatsapp|mastodon|youtube|twitch|x\.com)"
        r"(?: (?:handle|id|user ?name|account|name|profile))?(?: is|:| -|=)? {0,2}@?(?P<v>(?:(?<=@)"
        r"|(?<=: )|(?<=:)|(?<=is )|(?<== ))[A-Za-z0-9_][A-Za-z0-9_.\-]{2,40}(?:#\d{4})?)",
        weight=0.7,
    ),
    rule(
        Kind.USER_NAME,
        r"(?<![\w.@/+-])@(?P<v>(?=[A-Za-z]*[_0-9.])[A-Za-z][A-Za-z0-9_.]{3,30}[A-Za-z0-9_])(?![\w@])",
        weight=0.5,
    ),
    rule(
        Kind.USER_NAME,
        r"https?://(?:www\.)?(?:linkedin\.com/in|github\.com|twitter\.com|x\.com|facebook\.com|instagram\.com"
        r"|t\.me)/(?P<v>[A-Za-z0-9_.\-]{2,60})",
        weight=0.5,
    ),
)


def find_accounts(text: str) -> Iterator[Finding]:
    """Names of accounts, after the word that names the service."""
    yield from apply(_RULES, text)
