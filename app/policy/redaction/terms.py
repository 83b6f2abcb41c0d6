"""Words that say something of a person's health, beliefs, origin, love, record, body or work (L5.3).

The words stand in resources/redaction/terms.toml. Chinese ones are found anywhere, Western ones as whole words. A word
is found by what it begins with, so a longer list costs memory and hardly any time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Finding, Kind
from app.policy.redaction.phrases import Phrases, lower
from app.policy.redaction.rules import apply, rule
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Iterator

_HAN_PAIR = 2
# Words like DNA检测 and LGBT stand among the Chinese ones.
_HAN_RUN = re.compile("[A-Z]{0,6}[\u4e00-\u9fff]{1,4000}|DNA|LGBTQ?|HIV")
_WEIGHT = 0.5

# Christian music tells nothing of who listens.
_CULTURE_AFTER = re.compile(
    r" (?:music|songs?|radio|stations?|rock|art|era|calendar|cuisine|food|museum|architecture|history"
    r"|holidays?|festivals?|new year)\b",
    re.IGNORECASE,
)

_PATTERNS = (
    rule(
        Kind.HEALTH,
        r"(?:确诊为?了?|诊断为?|患有|患了|罹患|身患|得了|得过|感染了?|查出了?|检查出"
        r"|被查出)(?P<v>[\u4e00-\u9fff]{1,8}?(?:病|症|炎|癌|瘤|综合征|综合症|感染|障碍|衰竭|硬化"
        r"|骨折|溃疡|结石|囊肿|结节|疱疹|过敏|狼疮|中毒|畸形|梗塞|梗死|出血|增生|肥大|萎缩|不全|抑郁|焦虑"
        r"|痛风|息肉|白血病|贫血))",
        weight=0.7,
    ),
    rule(
        Kind.HEALTH,
        r"(?:服用|吃了|正在吃|口服|注射|开了|吃着|静滴|输了)(?P<v>[\u4e00-\u9fff]{1,8}?(?:片|胶囊"
        r"|颗粒|口服液|注射液|缓释片|滴丸|丸|霉素|西林|沙星|洛尔|地平|沙坦|他汀|拉唑|替尼|单抗|疫苗|药))(?!店|房)",
        weight=0.7,
    ),
    rule(Kind.HEALTH, r"(?P<v>[\u4e00-\u9fff]{1,6}(?:手术|移植术|切除术|造影|穿刺|化疗|放疗))", weight=0.6),
    rule(
        Kind.HEALTH,
        r"\b(?:diagnosed with|suffer(?:s|ing|ed)? from|tested positive for|treated for"
        r"|hospitali[sz]ed (?:for|with)|allergic to|history of|recovering from|underwent)"
        r" (?:an? |the |severe |chronic |acute |mild |early "
        r"|stage \w{1,3} )?(?P<v>[a-z][a-z'-]{2,24}(?: (?!and\b|or\b|but\b|in\b|on\b|at\b|last\b|this\b"
        r"|with\b|for\b|since\b|when\b|because\b)[a-z][a-z'-]{1,24}){0,3})",
        weight=0.6,
    ),
    rule(
        Kind.HEALTH,
        r"\b(?:(?:is|was|been|am|started|currently) (?:taking|on)|prescribed|medication:?"
        r"|prescription for) (?P<v>[a-z]{3,24}(?:ine|ol|in|ide|ate|am|one|pril|statin|mab|cillin|pine|zole"
        r"|xetine|pram|formin|sartan))(?: \d{1,4} ?mg)?\b",
        weight=0.6,
    ),
    rule(Kind.HEALTH, r"\b(?:[a-z]{3,16} )?(?:surgery|transplant)\b", weight=0.4),
    rule(
        Kind.ETHNICITY,
        r"民族(?:成分|成份)?[ :：是为]{0,2}[\u4e00-\u9fff]{1,6}族|(?:ethnicity|race|ethnic (?:group|origin)"
        r"|nationality) ?[:=] ?[a-z-]{3,20}(?: [a-z]{3,20})?|民族[:：][\u4e00-\u9fff]{1,4}",
        weight=0.8,
    ),
    rule(
        Kind.GENDER,
        r"性别[ :：是为]{0,3}[男女](?:性)?|\b(?:gender|sex)[\"']? ?[:=]? ?[\"']?(?:is )?(?:male|female"
        r"|non-?binary|man|woman|other|m|f)\b|(?:geschlecht|sexe|sexo|性別|성별) ?[:：]? ?(?:männlich"
        r"|weiblich|homme|femme|masculin|féminin|hombre|mujer|男性?|女性?|남성?|여성?)",
        weight=0.8,
    ),
    rule(
        Kind.FAMILY_STATUS,
        r"婚姻(?:状况|状态)[ :：是为]{0,3}[\u4e00-\u9fff]{2}|\b(?:marital status"
        r"|civil status) ?[:=] ?[a-z]{4,12}",
        weight=0.7,
    ),
    rule(
        Kind.RELIGION,
        r"(?:宗教信仰|信仰|信奉|皈依)[ :：是为了]{0,3}[\u4e00-\u9fff]{1,4}教|\breligion ?[:=] ?[a-z]{4,20}"
        r"|\b(?:goes|go|went|going) to (?:church|mosque|temple|synagogue)\b",
        weight=0.7,
    ),
    rule(
        Kind.POLITICS,
        r"政治面貌[ :：是为]{0,3}[\u4e00-\u9fff]{2,6}|(?:加入|退出|脱离)(?:了)?[\u4e00-\u9fff]{0,6}党|\b(?:member of"
        r"|joined|vote[sd]? for|supporter of) the [a-z]{4,16} party\b|\bpolitical (?:party"
        r"|affiliation) ?[:=] ?[a-z]{4,20}",
        weight=0.7,
    ),
    rule(
        Kind.CRIME,
        r"(?:判处?|被判)(?:了)?(?:有期徒刑)?[\d一二三四五六七八九十]{1,3}年(?:有期徒刑|徒刑)?"
        r"|因[\u4e00-\u9fff]{1,8}罪?(?:被捕|入狱|被拘|被抓|被判)|(?:sentenced to"
        r"|served) \d{1,2} (?:years|months)(?: in (?:prison|jail))?",
        weight=0.7,
    ),
    rule(
        Kind.BIOMETRIC,
        r"(?:采集|录入|提取|上传|登记)(?:了|过)?(?:他|她|我|你|的|员工|用户){0,3}(?P<v>指纹|人脸|虹膜|声纹"
        r"|掌纹|面部|DNA"
        r"|血样)|血型[ :：是为]{0,3}(?:[ABO]|AB)型?|\bblood type ?(?:is|:)? ?(?:ab|[abo])[+-]?",
        weight=0.6,
    ),
    rule(
        Kind.JOB,
        r"(?:职业|职务|职位|职称|岗位|担任|任职|就任|出任"
        r"|任)[ :：是为]{0,2}(?P<v>[\u4e00-\u9fff]{0,8}(?:经理|总监|主管|主任|工程师"
        r"|会计|出纳|教师|老师|教授|医生|医师|护士|律师|法官|警察|司机|厨师|设计师|程序员|记者|编辑|秘书|助理"
        r"|顾问|分析师|销售|文员|董事|总裁|书记|处长|局长|科长|部长|院长|校长|公务员|军人|研究员|翻译|摄影师|演员"
        r"|歌手))",
        weight=0.6,
    ),
    rule(
        Kind.JOB,
        r"(?:我|他|她|本人|爸爸?|妈妈?|老公|老婆|丈夫|妻子|父亲|母亲)(?:现在|目前|以前|曾经)?(?:是|做"
        r"|当)(?:一名|一位|一个|名|位|个|了)?(?P<v>[\u4e00-\u9fff]{0,8}?(?:经理|总监|主管"
        r"|主任|工程师|会计|出纳|教师|老师|教授|医生|医师|护士|律师|法官|警察|司机|厨师|设计师|程序员|记者|编辑"
        r"|秘书|助理|顾问|分析师|文员|公务员|军人|研究员|翻译|摄影师|演员|歌手|快递员|外卖员|保安|保洁|店长|老板"
        r"|学生))",
        weight=0.6,
    ),
    rule(Kind.JOB, r"(?P<v>[\u4e00-\u9fff]{2,4}科(?:主任|医生|医师|护士))", weight=0.3),
    rule(
        Kind.JOB,
        r"\b(?:job title|occupation|position|profession"
        r"|title)[\"']? ?[:=] ?[\"']?(?P<v>[a-z][a-z /&-]{2,40})|\b(?:works?|worked|working"
        r"|employed) as (?:an? |the )?(?P<w>[a-z][a-z-]{2,20}(?: [a-z-]{3,20}){0,2})",
        weight=0.6,
    ),
    rule(
        Kind.JOB,
        r"(?<=[a-z\u00df-\u017f]), (?:the|an?|our|my|his|her) (?P<v>[A-Za-z][\w/ -]{2,40}?),? (?:said|says"
        r"|told|announced|explained|added|who|of the)\b",
        weight=0.4,
    ),
    rule(
        Kind.HEALTH,
        r"(?:血压|血糖|空腹血糖|血脂|尿酸|胆固醇|体温|心率|心跳|体重|身高|视力|甘油三酯|转氨酶"
        r"|白细胞)[ :：是为]{0,3}(?:偏高|偏低|高达)?\d{1,4}(?:\.\d{1,2})?(?:/\d{1,3})?"
        r"|\b(?:blood pressure|blood sugar|bmi|cholesterol|a1c|heart rate)(?: is| was|:"
        r"| of)? \d{1,3}(?:\.\d)?(?:/\d{2,3})?",
        weight=0.5,
    ),
    rule(Kind.AGE, r"(?:[5-9]0|00|10)后(?!来|面|续|边|期|天|退|悔|果|勤|台|门|院|方|备|缀)", weight=0.4),
    rule(Kind.CRIME, r"涉嫌[\u4e00-\u9fff]{2,6}", weight=0.5),
    rule(
        Kind.JOB,
        r"\b(?:i am|i'm|he is|she is|he's|she's|is) an? (?P<v>(?:[a-z-]{3,16} ){0,2}(?:engineer|teacher"
        r"|professor|doctor|nurse|lawyer|attorney|accountant|developer|designer|manager|director|surgeon"
        r"|dentist|therapist|pharmacist|pilot|chef|journalist|electrician|plumber|firefighter|paramedic"
        r"|programmer|analyst|consultant|architect|scientist|researcher|banker|realtor|bartender|barista"
        r"|cashier|librarian|mechanic|veterinarian|psychologist|photographer|contractor|carpenter|farmer"
        r"|soldier|officer|waiter|waitress|receptionist|secretary|freelancer|ceo|founder|entrepreneur))\b",
        weight=0.6,
    ),
)


def find_terms(text: str) -> Iterator[Finding]:
    """Words of the special categories, and statements that name one by their form."""
    lexicon = _lexicon()
    for run in _HAN_RUN.finditer(text):
        for index in range(run.start(), run.end()):
            for word, kind in lexicon.han.get(text[index : index + _HAN_PAIR], ()):
                if text.startswith(word, index):
                    yield Finding(index, index + len(word), kind, _WEIGHT)
                    break
    for start, end, kind in lexicon.western.find(lower(text)):
        if not (kind is Kind.RELIGION and _CULTURE_AFTER.match(text, end)):
            yield Finding(start, end, kind, _WEIGHT)
    yield from apply(_PATTERNS, text)


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The words; Chinese ones by their first two characters, the longest first."""

    han: dict[str, list[tuple[str, Kind]]]
    western: Phrases[Kind]


@cache
def _lexicon() -> _Lexicon:
    tables = resource_table("redaction", "terms.toml")
    han: dict[str, list[tuple[str, Kind]]] = {}
    for name, lists in tables.items():
        for word in _words(lists.get("zh", "")):
            han.setdefault(word[:_HAN_PAIR], []).append((word, Kind[name]))
    for candidates in han.values():
        candidates.sort(key=lambda one: -len(one[0]))
    western = [(word, Kind[name]) for name, lists in tables.items() for word in _words(lists.get("en", ""))]
    return _Lexicon(han, Phrases(western))


def _words(listed: str) -> list[str]:
    return [word.strip() for line in listed.splitlines() for word in line.split("|") if word.strip()]
