"""Closed words of the catalogs and the code in Chinese, and amounts as Chinese writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    # purchase options, their classes and payments
    "on_demand": "按需",
    "spot": "竞价",
    "reserved": "预留",
    "savings_plan": "节省计划",
    "committed_use": "承诺使用",
    "subscription": "包年包月",
    "capacity_block": "容量块",
    "flex_start": "弹性启动",
    "calendar": "日历预留",
    "standard": "标准",
    "convertible": "可转换",
    "ec2_instance": "EC2 实例",
    "compute": "计算",
    "flexible": "灵活",
    "no_upfront": "无预付",
    "partial_upfront": "部分预付",
    "all_upfront": "全额预付",
    # how sure a figure is, and what it rests on
    "official": "官方",
    "secondary": "第三方",
    "low": "低",
    "measured": "实测",
    "fitted": "拟合",
    "spec": "按规格推算",
    "reported": "公开报道",
    "derived": "推算",
    "estimated": "估算",
    "rule of thumb": "经验值",
    # units of work, and in which multiples they are priced
    "1,000 ": "千",
    "million ": "百万",
    "billion ": "十亿",
    "page": "页",
    "pages": "页",
    "image": "张图像",
    "images": "张图像",
    "frame": "帧",
    "frames": "帧",
    "token": "个 token",
    "tokens": "个 token",
    "hour": "小时",
    "hours": "小时",
    "nanosecond": "纳秒",
    "nanoseconds": "纳秒",
    "request": "个请求",
    "requests": "个请求",
    "sample": "个样本",
    "samples": "个样本",
    "second of audio": "秒音频",
    "seconds of audio": "秒音频",
    "sequence": "个序列",
    "sequences": "个序列",
    "volume": "个三维体数据",
    "volumes": "个三维体数据",
    # the two ways of running
    "batched": "批处理",
    "unbatched": "未批处理",
    # other
    "passed": "成立",
    "failed": "不成立",
    "unknown": "未知",
    "none": "无",
    "any": "任意",
}
_UNITS = {"y": "年", "mo": "个月", "m": "个月", "w": "周", "d": "天", "h": "小时"}
_TERM = re.compile(r"(\d+)(y|mo|m|w|d|h)")
_PERIODS = {"hour": "小时", "day": "天", "month": "月", "year": "年", "run": "次"}

PARAMETERS = frozenset(
    {
        "basis",
        "condition",
        "confidence",
        "known",
        "mode",
        "option",
        "sold",
        "state",
        "status",
        "term",
        "terms",
        "unit",
        "units",
    }
)
"""Parameters of messages that hold such words as the code spells them."""

_AMOUNT = re.compile(r"(?<=[\d?])( [A-Z]{3})(/(?:hour|day|month|year|run)|/h)?(?![\w=])")


def chinese(code: str) -> str:
    """`on_demand` is 按需, `1y` is 1 年; what is no such word stays."""
    found = WORDS.get(code)
    if found is not None:
        return found
    term = _TERM.fullmatch(code)
    if term is not None:
        return f"{term[1]} {_UNITS[term[2]]}"
    return code.replace("_", " ")


def translated(id: str, params: dict[str, object]) -> dict[str, object]:
    """The parameters of a message with their closed words, and its currency, in Chinese."""
    for key, value in params.items():
        if key in PARAMETERS and isinstance(value, str):
            params[key] = "、".join(chinese(part) for part in value.split(", "))
        elif key == "currency" and value == "CNY" and not id.startswith("cost."):
            params[key] = "元"
    return params


def amounts(text: str) -> str:
    """`5,000 CNY/month` is 5,000 元/月; other currencies keep their code."""
    return _AMOUNT.sub(_amount, text)


def _amount(found: re.Match[str]) -> str:
    unit = " 元" if found[1] == " CNY" else found[1]
    period = found[2]
    if period is None:
        return unit
    return f"{unit}/{_PERIODS.get(period[1:], '小时')}"
