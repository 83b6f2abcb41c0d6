"""Words by which a text speaks of its own user: 我妈, 我们公司, "my daughter" (L5.3).

They expose nobody alone, but tie what else is said to the user. So the bare pronoun stays, and what is found is the
pronoun with a relative, or with something of one's own that identifies (a telephone number, an employer, an illness).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Finding, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

_KIN = (
    "爸爸|妈妈|爸妈|爸|妈|父亲|母亲|父母|老公|老婆|丈夫|妻子|太太|先生|媳妇|爱人|对象|男朋友|女朋友|男友"
    "|女友|未婚夫|未婚妻|前夫|前妻|前任|儿子|女儿|孩子|小孩|宝宝|闺女|娃|哥哥|姐姐|弟弟|妹妹|哥|姐|弟|妹"
    "|爷爷|奶奶|外公|外婆|姥姥|姥爷|公公|婆婆|岳父|岳母|丈母娘|叔叔|伯伯|伯父|伯母|姑姑|姑妈|姨妈|阿姨"
    "|舅舅|舅妈|婶婶|嫂子|姐夫|妹夫|弟媳|侄子|侄女|外甥|外甥女|表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹"
    "|孙子|孙女|外孙|家人|亲戚|室友|闺蜜|同事|老板|领导|上司|家"
)
_OWN = (
    "手机|电话|号码|身份证|护照|地址|住址|家|住处|名字|姓名|生日|年龄|病|病历|病情|诊断|体检|工资|薪水|月薪"
    "|收入|存款|银行卡|卡号|账号|帐号|账户|密码|邮箱|微信|微博|QQ|公司|单位|学校|学号|工号|部门|团队|车牌"
    "|社保|医保|医生|信用卡|房贷|贷款|车|职业|工作|职位|老家|户口|驾照|婚姻|宗教|信仰|民族|血型|指纹"
)
# What somebody says of himself with these words exposes him, so the pronoun before them does.
_TELLING = (
    "确诊|被确诊|被诊断|得了|患有|患了|怀孕|流产|住院|离婚|离异|出柜|信佛|信教|入党|被判|坐过牢|服刑|吸毒"
    "|欠了?[\u4e00-\u9fff]{0,4}\\d|月薪|年薪|工资"
    "|今年[\\d一二三四五六七八九十]{1,3}岁|[\\d一二三四五六七八九十]{1,3}岁|住在|家住|出生于|生于|毕业于|就职于"
    "|任职于|身份证|叫[\u4e00-\u9fff]{2,4}[，。,.]"
    "|在[\u4e00-\u9fff]{2,10}(?:上班|工作|读书|就读|上学|住院|当兵|服役)"
)
_CHINESE = re.compile(
    rf"(?:我们|咱们|俺们|咱|俺|本人|我自己|我个人)(?=的?(?:{_OWN}))|(?:我|俺|咱)们?家?的?(?:{_KIN})(?!乡"
    rf"|具|电|庭|里|园|政|用)"
    rf"|(?:我|俺|本人|我自己)的(?=(?:{_OWN}))|(?:我|俺|咱|本人|笔者)(?=(?:{_TELLING}))"
)
_ENGLISH = re.compile(
    r"\b(?:my|our) (?:(?:older|younger|elder|little|big|late|ex-?|step-?|twin|oldest|youngest|eldest"
    r"|future|pregnant|own|great|grand) ?){0,3}"
    r"(?:great[- ]){0,2}(?:daughter|son|wife|husband|mother|father|mom|mum|dad|mommy|daddy|parents?"
    r"|brother|sister|siblings?|spouse|partner|fianc[eé]e?|boyfriend|girlfriend|kids?|child|children|baby"
    r"|twins"
    r"|grand(?:mother|father|ma|pa|parents|son|daughter|kids|children)|aunt|uncle|cousins?|niece|nephew"
    r"|in-laws|(?:mother|father|sister|brother|son|daughter)-in-law|step(?:mother|father|son|daughter"
    r"|brother|sister)|ex-?(?:wife|husband)|roommate|boss|family)\b",
    re.IGNORECASE,
)


def find_self_references(text: str) -> Iterator[Finding]:
    """A pronoun with a relative, or with something of one's own."""
    for pattern in (_CHINESE, _ENGLISH):
        for found in pattern.finditer(text):
            yield Finding(found.start(), found.end(), Kind.SELF, 0.3)
