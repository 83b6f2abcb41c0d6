"""Numbers that a state or an institution gave to a person: identity cards, passports, tax, plates, licences (L5.3).

A number whose check digit fits, or whose shape is rare, is found alone; others need the word that names them. After the
word 身份证 a number with a wrong check digit is one as well: a slip of the pen exposes the same person.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.policy.redaction import checksums
from app.policy.redaction.findings import Kind
from app.policy.redaction.rules import apply, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.policy.redaction.findings import Finding

# No letter or digit before; Han characters may stand there.
_B = r"(?<![0-9A-Za-z_-])"
_E = r"(?![0-9A-Za-z_]|-[0-9])"
_SAY = (
    r"(?:号码|号|编号|number|num\b|no\b\.?|nr\.?|#|id)?(?:证|卡)?[ :：=#\"'是为]{0,4}(?:is|was"
    r"|are)?[ :：=#\"'是为]{0,4}"
)
_ID_BODY = (
    r"[1-9]\d{5}[ .\-·]{0,2}(?:18|19|20)\d{2}[ .\-]{0,2}(?:0[1-9]|1[0-2])[ .\-]{0,2}(?:0[1-9]|[12]\d|3[01])"
    r"[ .\-]{0,2}\d{3}[ .\-]{0,2}[\dXx]"
)
_PROVINCES = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
_ID_WORDS = r"(?:身份证|居民证|证件|身分证|\bid\b(?: card)?|identity (?:card|number))"


def _is_not_plain(value: str) -> bool:
    return any(map(str.isdigit, value))


def _is_resident_id(value: str) -> bool:
    return checksums.is_resident_id(value)


def _is_spanish_id(value: str) -> bool:
    return checksums.is_spanish_id(value)


def _is_hong_kong_id(value: str) -> bool:
    letters = value.rstrip("0123456789Aa")
    letters = letters or value[0]
    digits = value[len(letters) :]
    return len(digits) == 7 and checksums.is_hong_kong_id(letters, digits[:6], digits[6])  # noqa: PLR2004


_CHINESE = (
    rule(Kind.ID_NUMBER, rf"(?<![0-9A-Za-z]){_ID_BODY}(?![0-9])", _is_resident_id, weight=0.9),
    rule(Kind.ID_NUMBER, rf"{_ID_WORDS}[^0-9\n]{{0,12}}(?P<v>{_ID_BODY})(?![0-9])", weight=0.9),
    rule(
        Kind.ID_NUMBER,
        r"(?:身份证|身分证|居民证)[^0-9A-Za-z\n。，；]{0,8}(?P<v>\d[\d \-*xX]{13,22}[\dXx])(?![0-9])",
        weight=0.85,
    ),
    rule(
        Kind.ID_NUMBER,
        r"(?:身份证|身分证|证件)(?:后|末|尾)[四六4-6]位?(?:数|号)?[是为:： ]{0,3}(?P<v>\d{3,5}[\dXx])(?![0-9])",
    ),
    rule(Kind.ID_NUMBER, rf"{_B}[A-Z]{{1,2}}\d{{6}} ?\([0-9A]\)", _is_hong_kong_id, weight=0.8),
    rule(
        Kind.ID_NUMBER,
        rf"(?:香港|hkid|hong kong)[^0-9\n]{{0,14}}{_B}(?P<v>[A-Z]{{1,2}}\d{{6}} ?\(?[0-9A]\)?)",
        weight=0.8,
    ),
    rule(Kind.ID_NUMBER, r"(?:澳门|macau|macao)[^0-9\n]{0,14}(?P<v>[1578]\d{6} ?/?\(?[0-9]\)?)(?!\d)", weight=0.8),
    rule(Kind.ID_NUMBER, rf"{_B}[A-Z][1289]\d{{8}}{_E}", checksums.is_taiwan_id),
    rule(
        Kind.ID_NUMBER,
        r"(?:台湾|臺灣|taiwan)[^0-9\n]{0,14}(?<![0-9A-Za-z])(?P<v>[A-Z][12A-D89]\d{8})(?!\d)",
        weight=0.8,
    ),
    rule(
        Kind.PERMIT,
        r"(?:通行证|回乡证|台胞证|来往内地|来往大陆|来往港澳|往来港澳|往来台湾|居留证|永居证|居留许可|居住证|签注"
        r"|签证|permit|visa)"
        r"(?:号码|号|编号|number|no\.?)?[^0-9A-Za-z\n]{0,6}(?P<v>[A-Z]{0,3}\d{7,15}[A-Z]?)(?![0-9A-Za-z])",
        weight=0.8,
    ),
    rule(
        Kind.PERMIT,
        rf"{_B}[HMC][0-9A-Z]?\d{{8}}(?:\d{{2}})?(?![0-9A-Za-z])(?=[^\n]{{0,12}}(?:通行证|回乡证))",
        weight=0.8,
    ),
    rule(
        Kind.PLATE,
        rf"[{_PROVINCES}使][ ]?[A-HJ-NP-Z][·•. \-]{{0,2}}"
        rf"(?=[A-Z]{{0,5}}\d)[A-HJ-NP-Z0-9]{{4,5}}[A-HJ-NP-Z0-9挂学警港澳领](?![0-9A-Za-z])",
        weight=0.8,
    ),
    rule(
        Kind.PLATE,
        r"(?:车牌|牌照|licen[cs]e plates?|plate (?:number|no\.?)|registration plates?"
        r"|number plates?)(?:号码|号|number|no\.?)?"
        r"[ :：=#是为]{0,4}(?:is |was )?(?P<v>(?=[A-Z\u4e00-\u9fff"
        r" ·-]{0,6}\d)[A-Z\u4e00-\u9fff]?[A-Z0-9]{1,4}[ ·-]?[A-Z0-9]{2,6})(?![0-9A-Za-z])",
    ),
    rule(Kind.PLATE, rf"(?<![0-9A-Za-z])WJ[ ·-]?[{_PROVINCES}]?[ ·-]?\d{{4,5}}[A-Z0-9]?(?![0-9A-Za-z])", weight=0.7),
    rule(
        Kind.TAX_NUMBER,
        rf"{_B}(?:1[1239]|5[1239]|9[123]|[AY][1239])\d{{6}}[0-9A-HJ-NPQRTUWXY]{{9}}[0-9A-HJ-NPQRTUWXY]{_E}",
        checksums.is_credit_code,
        weight=0.8,
    ),
    rule(
        Kind.SOCIAL_SECURITY,
        r"(?:社保|社会保障|社会保险|医保|公积金|养老保险)(?:个人)?(?:卡|证)?(?:账户|账|电脑)?(?:号码|号"
        r"|编号)?[ :：=是为]{0,4}"
        r"(?P<v>(?=[A-Z]{0,2}\d)[A-Z0-9]{7,20})(?![0-9A-Za-z])",
        weight=0.95,
    ),
    rule(Kind.MILITARY, r"[军武士文政后装参空海兵警院退][\u4e00-\u9fff]?字第? ?(?P<v>\d{6,10}) ?号?", weight=0.9),
    rule(
        Kind.MILITARY,
        r"(?:军官|士兵|士官|警官|军人|义务兵|文职|武警|退伍|退役|转业|离休干部|军属|学员|军籍|兵役"
        r"|现役)[\u4e00-\u9fff]{0,4}(?:证件|证|号码|号|编号)+"
        r"(?:号|号码)?[ :：=是为]{0,4}(?:[\u4e00-\u9fff]{1,3}字第?)?(?P<v>[A-Z]{0,2}\d{6,12})(?!\d)",
        weight=0.9,
    ),
    rule(
        Kind.LICENCE,
        r"(?:驾驶证|驾照|行驶证|档案)(?:档案)?(?:号码|号"
        r"|编号)?[ :：=是为]{0,4}(?P<v>(?=[A-Z]{0,3}\d)[A-Z0-9]{8,18})(?![0-9A-Za-z])",
        weight=0.85,
    ),
    rule(
        Kind.ID_NUMBER,
        r"(?:工号|学号|考号|准考证|学籍|职工|员工|会员|病历|住院|门诊|就诊卡|诊疗卡|保单|证书|护士证"
        r"|执业证|学生证|结婚证|房产证|不动产权|户口|港澳证|记者证|律师证|出生证)"
        r"[\u4e00-\u9fff]{0,4}[ :：=#是为]{0,4}(?P<v>(?=[A-Z-]{0,6}\d)[A-Z0-9-]{4,24})(?![0-9A-Za-z])",
    ),
    rule(
        Kind.TAX_NUMBER,
        r"(?:纳税人识别号|纳税识别号|税务登记号?|税号|组织机构代码|营业执照号?"
        r"|注册号)(?:码)?[ :：=是为]{0,4}(?P<v>(?=[A-Z]{0,3}\d)[A-Z0-9-]{9,20})"
        r"(?![0-9A-Za-z])",
    ),
)

_PASSPORTS = (
    rule(
        Kind.PASSPORT,
        rf"(?:护照|passport){_SAY}(?:号码|号|number|no\b\.?"
        rf"|#)?[ :：=#是为]{{0,4}}(?:is )?(?P<v>(?=[A-Z]{{0,3}}\d)[A-Z]{{0,3}} ?\d[A-Z0-9]{{5,9}})"
        rf"(?![0-9A-Za-z])",
        weight=0.9,
    ),
    rule(
        Kind.PASSPORT,
        r"(?<!版本)(?<!型号)(?<!编号)(?<!订单)(?<!批次)(?<![0-9A-Za-z_-])(?:[EGDSPH]\d{8}|E[A-HJ-NP-Z]\d{7}"
        r"|(?:MA|SE|DE|PE)\d{7})(?![0-9A-Za-z_-])",
        is_exact=True,
        weight=0.55,
    ),
)

_WESTERN = (
    rule(
        Kind.SOCIAL_SECURITY,
        r"(?<![0-9A-Za-z-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![0-9A-Za-z]|-\d)",
        weight=0.8,
    ),
    rule(
        Kind.SOCIAL_SECURITY,
        r"(?:\bssn\b|social security)[^0-9\n]{0,24}(?P<v>(?!000|666|9)\d{3}[ .]?(?!00)\d{2}[ .]?(?!0000)\d{4})(?!\d)",
        weight=0.85,
    ),
    rule(
        Kind.SOCIAL_SECURITY,
        r"(?:\bssn|social security)[^0-9\n]{0,16}(?:last (?:four|4)|ending)[^0-9\n]{0,16}(?P<v>\d{4})(?!\d)",
    ),
    rule(
        Kind.TAX_NUMBER,
        r"(?<![0-9A-Za-z-])9\d\d-(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])-\d{4}(?![0-9A-Za-z]|-\d)"
        r"|(?:\bitin\b)[^0-9\n]{0,16}(?P<v>9\d\d[ -]?\d\d[ -]?\d{4})(?!\d)",
        weight=0.8,
    ),
    rule(
        Kind.TAX_NUMBER,
        r"(?:\bein\b|\btin\b|\btfn\b|\bvat\b|\bgst(?:in)?\b|tax(?:payer)?[ -]?(?:id|no|number|file"
        r"|identification)|\bnif\b|\bcif\b|\bsiren\b|\bsiret\b"
        r"|steuer-?(?:id|nummer|identifikationsnummer)|ust-?id|p\.? ?iva|partita iva|\bbtw\b"
        r"|\babn\b|\butr\b|rfc\b|マイナンバー|個人番号|법인)"
        r"[^0-9\n]{0,14}?(?P<v>[A-Z]{0,3} ?\d[\d .\-/]{5,18}\d[A-Z0-9]{0,3})(?![0-9A-Za-z])",
        weight=0.7,
    ),
    rule(
        Kind.LICENCE,
        r"(?:driver'?s?|driving)[ ']{0,2}licen[cs]e[^0-9\n]{0,16}?(?P<v>(?=[A-Z]{0,6}-?\d)[A-Z0-9][A-Z0-9"
        r" -]{4,20}[A-Z0-9])(?![0-9A-Za-z])",
        weight=0.8,
    ),
    rule(
        Kind.LICENCE,
        r"\b(?:dl|d\.l\.)(?: (?:no|number|#))?[ :.#]{1,3}(?P<v>[A-Z]{0,3}-?\d[\dA-Z-]{5,17})(?![0-9A-Za-z])",
    ),
    rule(
        Kind.SOCIAL_SECURITY,
        rf"{_B}(?!BG|GB|NK|KN|TN|NT"
        rf"|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{{2}} ?\d{{2}} ?\d{{2}} ?[A-D]{_E}",
        is_exact=True,
    ),
    rule(
        Kind.HEALTH_NUMBER,
        r"(?:\bnhs\b|medicare|medicaid|health (?:card|insurance)|hospital|patient|medical record|\bmrn\b"
        r"|chart)[^0-9\n]{0,20}?(?P<v>[A-Z]{0,3}-?\d[\d -]{4,14}\d[A-Z]?)(?![0-9A-Za-z])",
    ),
    rule(Kind.HEALTH_NUMBER, r"(?<![\d-])\d{3}[ -]\d{3}[ -]\d{4}(?![\d-])", checksums.is_nhs_number, weight=0.4),
    rule(Kind.ID_NUMBER, r"(?<![\d-])[2-9]\d{3}[ -]\d{4}[ -]\d{4}(?![ -]?\d)", checksums.is_verhoeff, weight=0.7),
    rule(
        Kind.ID_NUMBER,
        r"(?:aadhaar|aadhar|uidai|\buid\b|आधार)[^0-9\n]{0,16}(?P<v>\d{4}[ -]?\d{4}[ -]?\d{4})(?!\d)",
        weight=0.85,
    ),
    rule(Kind.TAX_NUMBER, rf"{_B}[A-Z]{{3}}[ABCFGHLJPTK][A-Z]\d{{4}}[A-Z]{_E}", weight=0.7),
    rule(Kind.TAX_NUMBER, rf"{_B}\d{{2}}[A-Z]{{5}}\d{{4}}[A-Z][0-9A-Z]Z[0-9A-Z]{_E}", weight=0.7),
    rule(Kind.ID_NUMBER, rf"{_B}\d{{6}}-[1-8]\d{{6}}{_E}", weight=0.7),
    rule(Kind.ID_NUMBER, rf"{_B}(?:\d{{8}}|[XYZ]\d{{7}})-?[A-Z]{_E}", _is_spanish_id),
    rule(Kind.ID_NUMBER, rf"{_B}[STFGM]\d{{7}}[A-Z]{_E}", is_exact=True),
    rule(Kind.ID_NUMBER, rf"{_B}[A-Z]{{6}}\d\d[A-EHLMPRST]\d\d[A-Z]\d{{3}}[A-Z]{_E}", weight=0.7),
    rule(
        Kind.ID_NUMBER,
        r"(?<![\d.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)|(?<![\d.-])\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}(?!\d)",
        weight=0.7,
    ),
    rule(
        Kind.ID_NUMBER,
        r"(?<![0-9A-Za-z.,])[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}"
        r"|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?![0-9A-Za-z])(?<= \d\d)",
        weight=0.6,
    ),
    rule(
        Kind.ID_NUMBER,
        r"(?:\bbsn\b|\bpesel\b|\bsin\b|\bcpf\b|\bdni\b|\bnie\b|\bcurp\b|\bnric\b|\bnino\b|\bni (?:number|no)"
        r"|national insurance|num[eé]ro de s[eé]curit[eé] sociale|\bnir\b|personalausweis"
        r"|ausweis(?:nummer)?|sozialversicherungsnummer|codice fiscale|voter id"
        r"|\bepic\b|주민(?:등록)?번호|運転免許証?(?:番号)?|免許証番号|在留カード|パスポート|旅券)"
        r"[^0-9A-Z\n]{0,16}(?P<v>(?=[A-Z]{0,6}[ .-]?\d)[A-Z0-9][A-Z0-9 .\-/]{4,20}[A-Z0-9])(?![0-9A-Za-z])",
        weight=0.7,
    ),
    rule(
        Kind.ID_NUMBER,
        r"\b(?:member(?:ship)?|employee|student|staff|badge|patient|client|customer|policy|insurance|case"
        r"|claim|green card|alien|voter|enrol?lment|library card|frequent flyer)"
        r"(?: card)?[ _-]?(?:id|no|number"
        r"|#)\b[ :.#=]{0,3}(?:is )?(?P<v>(?=[A-Z-]{0,6}\d)[A-Z0-9][A-Z0-9-]{3,20})(?![0-9A-Za-z])",
    ),
    rule(
        Kind.ID_NUMBER,
        r"(?:national|government|citizen|identity) ?(?:id|card"
        r"|number)[^0-9\n]{0,16}(?P<v>(?=[A-Z-]{0,4}\d)[A-Z0-9][A-Z0-9-]{4,20})(?![0-9A-Za-z])",
        _is_not_plain,
    ),
)

_HAS_DIGIT = re.compile(r"\d")


def find_identity_numbers(text: str) -> Iterator[Finding]:
    """Identity, tax, social security and licence numbers."""
    if _HAS_DIGIT.search(text) is None:
        return
    for table in (_CHINESE, _PASSPORTS, _WESTERN):
        yield from apply(table, text)
