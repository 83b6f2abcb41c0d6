"""Plans: what a sentence says is to happen on a day, and how sure it is of that (G2.7).

"Project A launch is tentatively set for next Friday", 项目A暂定下周五上线: the words around the date tell; the date
itself was read by the grammar. What was, what may be asked, and what is not planned is no plan.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.readings import DateKind, Grain
from app.govern.rule_tables import made_of_rules
from app.govern.understanding.intents import find_intent
from app.govern.understanding.rules import understanding_rules

if TYPE_CHECKING:
    from app.domain.readings import DateReading

_I = re.IGNORECASE
_SUBJECT = r"(?P<subject>[^,;:.!?，；：。！？\n]{1,100}?)"
_MOVED = re.compile(
    r"\b(?:moved|postponed|rescheduled|pushed|brought|delayed|shifted|put off|changed)\b"
    r"|推迟|提前|改期|调整|延期|移|挪|改",
    _I,
)
_TENTATIVE = re.compile(
    r"\b(?:tentativ\w*|provisional\w*|preliminar\w*|probably|likely|perhaps|maybe|may|might|could|should|roughly|penci?l\w*|"
    r"hopefully|expected|ideally)\b|暂定|初定|初步|拟|预计|大概|可能|也许|或许|估计|争取|大约|左右|希望",
    _I,
)
_NEGATED = re.compile(
    r"\b(?:not|no longer|never|n't|cancel\w*|called off|was|were|had been|instead of)\b|n't\b"
    r"|不再|不会|没有|取消|未定|不是|原定|本来|曾",
    _I,
)
_BEFORE_EN = (
    re.compile(
        rf"{_SUBJECT}\s{{1,4}}(?:(?:is|are|has been|have been|will be|gets|got|'s|being)\s{{1,4}})?"
        r"(?:now\s{1,4}|still\s{1,4}|currently\s{1,4}|also\s{1,4})?"
        r"(?:\w+ly\s{1,4})?(?:set|scheduled|planned|fixed|booked|slated|confirmed|arranged|expected|due|targeted|"
        r"penci?l+ed in|"
        r"moved|postponed|rescheduled|pushed|brought forward|put back)"
        r"(?:\s{1,4}to\s{1,4}(?P<verb>[a-z][^,;:.!?\n]{1,50}?))?"
        r"(?:\s{1,4}(?:for|on|at|in|to|until|from))?\s{0,4}$",
        _I,
    ),
    re.compile(
        rf"{_SUBJECT}\s{{1,4}}(?:(?:will|may|might|could|should|shall|'ll)\s{{1,4}})?(?:(?:probably|likely|tentatively|only|now)\s{{1,4}})?"
        r"(?P<verb>takes? place|be held|is held|are held|happens?|starts?|begins?|launch(?:es)?|ships?|goes? live|"
        r"opens?|closes?|"
        r"arrives?|leaves?|departs?|lands?|runs?|moves?|ends?|meets?|kicks? off)(?:\s{1,4}(?:on|at|in|from))?\s{0,4}$",
        _I,
    ),
    re.compile(
        rf"{_SUBJECT}\s{{1,4}}(?:(?:is|are|'s)|will (?:probably |likely )?be|may be|might be|should be)"
        r"(?:\s{1,4}(?:probably|tentatively|likely|now))?(?:\s{1,4}(?:on|at|in))?\s{0,4}$",
        _I,
    ),
    re.compile(
        r"(?P<subject>(?:we|i)(?:'ll)?)\s{1,4}(?:(?:will|plan to|are going to|want to|intend to|aim to)\s{1,4})?"
        r"(?:(?:probably|tentatively)\s{1,4})?"
        r"(?P<verb>(?:launch|ship|release|go live|meet|leave|fly|depart|travel|start|begin|present|demo|deploy|"
        r"deliver|move|visit|"
        r"hold|host|open|publish|switch|migrate)(?:\s[^,;:.!?\n]{1,60}?)?)(?:\s{1,4}(?:on|at|in|from))?\s{0,4}$",
        _I,
    ),
)  # fmt: skip
_CUE_ZH = (
    r"(?:暂定|初定|初步定|拟定|拟|定于|定在|定为|定到|计划|预计|预定|安排在|安排于|订于|订在|将于|将在|改到|改在|改为|改至|推迟到|延期到|推迟至|"
    r"延期至|提前到|放在|约在|约定|争取|希望|大概|可能|估计)"
)
_BEFORE_ZH = re.compile(rf"{_SUBJECT}(?P<cue>{_CUE_ZH}(?:于|在|为|到)?|于|在|是)?\s{{0,4}}$")
_AND_CLAUSE = re.compile(
    r"^.{0,200}\b(?:is|are|was|were|went|has|have|had|did|will|must|should|said|says|\w+ed)\b.{0,200}\s(?:and|but|so)\s{1,4}",
    _I,
)
_OPENING = re.compile(
    r"^(?:(?:also|so|now|then|fyi|reminder|note that|please note that|remember that|hi all|hello|ok|okay|well|and|but|"
    r"because|that|the plan is that|as agreed)\b|[\s,:\-*•\d.)、])+",
    _I,
)
# "today's note", 当前的方案: the day only says which one
_IS_ADJECTIVE = re.compile(r"['’]s\b|的")
_MOST_WORDS = 9
_LONGEST_CLAUSE = 400
"""Characters before a day that are read: of a line without an end each day would look at all of it."""
_ARTICLE = re.compile(r"^(?:the|our|a|an)\s{1,4}", _I)
_OPENING_ZH = re.compile(r"^(?:[\s\-*•\d.)、]|另外|同时|那么|还有|提醒|请注意|通知|注意|目前|现在|我们的|我们)+")
_UNTIL = re.compile(r"\b(?:until|till|since|before|after|by|between|from|deadline)\s{0,4}$|自|截至|截止", _I)
_QUESTION = re.compile(r"[?？]\s{0,4}$|[吗呢么]\s{0,4}[?？。]?\s{0,4}$")
_EDGES = " \t\r\n,.;:!?，。；：！？、\"'“”‘’()（）-*•【】[]"


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan; places in the text that was read. `who`: whose it is, as in `intents`; "" for what nobody does alone."""

    start: int
    end: int
    title: str
    when: DateReading
    is_tentative: bool
    who: str = ""


def find_plan(text: str, start: int, end: int, dates: list[DateReading]) -> Plan | None:
    """The plan that the sentence [start, end) of a text states, or None; its first date that has one."""
    if _QUESTION.search(text[start:end]):
        return None
    for date in dates:
        if date.kind not in {DateKind.POINT, DateKind.RANGE} or date.is_deadline or not date.candidates:
            continue
        best = date.candidates[0]
        if best.start is None or best.is_time_only or best.grain is Grain.SECOND or _IS_ADJECTIVE.match(text, date.end):
            continue
        # "moved from Tuesday to Thursday" is no plan from one to the other
        if date.kind is DateKind.RANGE and _MOVED.search(text, max(start, date.start - 40), date.start) is not None:
            continue
        plan = _plan(text, start, end, date)
        if plan is not None:
            return plan
    return None


def is_tentative(sentence: str) -> bool:
    """Whether a sentence says that its plan may change."""
    return _TENTATIVE.search(sentence) is not None


def _plan(text: str, start: int, end: int, date: DateReading) -> Plan | None:
    first = _clause_start(text, max(start, date.start - _LONGEST_CLAUSE), date.start)
    before = text[first : date.start]
    behind = re.split(r"[,;:.!?，；：。！？\n]", text[date.end : min(end, date.end + 80)], maxsplit=1)[0]
    if _NEGATED.search(before) or _UNTIL.search(before):
        return None
    personal = find_intent(before, behind)
    if personal is not None:
        last = max(date.end, date.start + 1) + personal.used_behind
        is_unsure = is_tentative(f"{before} {behind[:12]}")
        first += len(before) - len(before.lstrip())
        return Plan(first, last, personal.title, date, is_unsure, personal.who)
    title = _english(before) if re.search("[A-Za-z]{2}", before) and not _has_han(before + behind) else None
    title = title or (_chinese(before, behind) if _has_han(before + behind) else None)
    if not title:
        return None
    is_unsure = is_tentative(f"{before} {behind[:12]}")
    return Plan(first + len(before) - len(before.lstrip()), max(date.end, date.start + 1), title, date, is_unsure)


def _clause_start(text: str, start: int, end: int) -> int:
    """Where the last clause before a place begins."""
    for at in range(end - 1, start - 1, -1):
        if text[at] in ",;:!?，；：。！？\n" and not (text[at] == ":" and text[at - 1 : at].isdigit()):
            return at + 1
    return start


def _english(before: str) -> str | None:
    rules = understanding_rules()
    cut = _AND_CLAUSE.match(before)
    words = _OPENING.sub("", before[cut.end() :] if cut else before)
    for form in _BEFORE_EN:
        match = form.match(words)
        if match is None:
            continue
        subject = match["subject"].strip(_EDGES)
        verb = (match.groupdict().get("verb") or "").strip(_EDGES)
        if subject.lower() in {"we", "i", "we'll", "i'll"} and verb and form is _BEFORE_EN[-1]:
            return verb
        if subject.lower() in rules.not_subjects_en or subject.lower().split()[0] in rules.not_subjects_en:
            return None
        subject = _ARTICLE.sub("", subject)
        if len(subject.split()) > _MOST_WORDS:
            return None
        return f"{subject} {verb}".strip() if verb and form is _BEFORE_EN[0] else subject
    return None


def _chinese(before: str, behind: str) -> str | None:
    rules = understanding_rules()
    words = _OPENING_ZH.sub("", before)
    verb = _verb_zh(behind)
    if not words.strip():
        # 下周五项目A上线: the date stands first
        return _noun(behind, verb) if verb else None
    match = _BEFORE_ZH.match(words)
    if match is None:
        return None
    subject, cue = match["subject"].strip(_EDGES), match["cue"]
    if not subject or subject in rules.not_subjects_zh or subject[0] in "这那它他她":
        return None
    if (cue is None or cue in {"于", "在", "是"}) and not verb:
        return None
    tail = _noun(behind, verb) if verb else ""
    tail = re.sub(r"^(?:举行|召开|进行|举办|开始)$", "", tail or "")
    return f"{subject}{tail}"


def _verb_zh(behind: str) -> str | None:
    pattern = _verbs()
    match = pattern.match(behind.strip()[:24])
    return match["verb"] if match else None


def _noun(behind: str, verb: str | None) -> str:
    words = behind.strip(_EDGES)
    if verb is None:
        return ""
    return words[: words.find(verb) + len(verb)].strip(_EDGES).removeprefix("正式").removeprefix("将")


@made_of_rules
def _verbs() -> re.Pattern[str]:
    verbs = "|".join(re.escape(verb) for verb in understanding_rules().plan_verbs_zh)
    return re.compile(rf"^.{{0,14}}?(?P<verb>{verbs})")


def _has_han(text: str) -> bool:
    return re.search("[\u4e00-\u9fff]", text) is not None
