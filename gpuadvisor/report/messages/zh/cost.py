"""Texts of the cost room."""

from __future__ import annotations

ZH: dict[str, str] = {
    "cost.money_unreadable": "无法识别金额 '{text}'；请写 5000、5kUSD、700USD/month 或 0.5万元",
    "cost.money_separators": (
        "无法识别 '{text}'：小数点用英文句点，千位分隔为三位一组（5,000.50）"
    ),
    "cost.money_shell": ("无法识别金额 '{text}'：是否被 shell 吞掉了 $？请写 700USD/month"),
    "cost.money_zero": "金额 '{text}' 为零：是否被 shell 吞掉了 $？请写 700USD/month",
    "cost.money_negative": "金额 '{text}' 为负；请写正数，例如 5000",
    "cost.money_too_large": "金额 '{text}' 超过 1,000,000,000,000,000",
    "cost.money_period": (
        "'{text}' 中的周期 '{period}' 未知；可用的有 hour、day、month、year 和 run（时、天、"
        "月、年、次）"
    ),
    "cost.money_two_currencies": "'{text}' 写了两种货币：'{first}' 和 '{second}'",
    "cost.money_per_run": "{text} 是单次运行的金额；该负载全月运行：请按月填写",
    "cost.unknown_currency": "未知货币 '{currency}'；已知的有 {known}",
    "cost.no_rate": (
        "没有 '{currency}' 在 {date} 的汇率；现有 {known} 的汇率；可用 --fx CNY=6.65 自行指定"
    ),
    "cost.no_rates_yet": "{today} 及之前没有汇率；目录中最早的是 {oldest}",
    "cost.rate_unreadable": ("无法识别汇率 '{text}'；请写 1 USD 折合多少该货币，例如 CNY=6.65"),
    "cost.rate_of_base": (
        "汇率 '{text}' 针对的是 USD 本身；汇率应为 1 USD 折合多少其他货币，例如 CNY=6.65"
    ),
    "cost.hours_range": "{name} 必须大于 0 且不超过 {most}，而不是 {value}",
    "cost.hours_twice": "--hours-per-month 与 --hours-per-day 只能给出一个",
    "cost.no_billing": "'{provider}' 的计费规则未知",
}
