"""Closed words of the catalogs and the code in Chinese, and amounts as Chinese writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gpuadvisor.report.messages.zh.catalog_prose import PROSE
from gpuadvisor.report.messages.zh.faults import SYSTEM, expected

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
    "low": "低可信度",
    "measured": "实测",
    "fitted": "拟合",
    "spec": "按规格推算",
    "reported": "公开报道",
    "derived": "推算",
    "computed": "计算",
    "chained": "链式推算",
    "upper bound": "上限",
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
    # how hardware is bought
    "new": "全新",
    "used": "二手",
    "refurbished": "翻新",
    # whether a type is sold
    "active": "在售",
    "frozen": "冻结",
    "retired": "已退役",
    "preview": "预览",
    "price_only": "仅有价格",
    "unclear": "不明",
    # tiers of storage
    "hot": "热存储",
    "cool": "低频存储",
    "cold": "冷存储",
    "archive": "归档存储",
    # what a commitment binds
    "instance_type": "实例类型",
    "family": "实例系列",
    "money_per_hour": "每小时金额",
    "resources": "资源量",
    # sums
    "total": "合计",
    "all_on_demand": "全部按需",
    "capital": "资本",
    "colocation": "机柜托管",
    "energy": "电费",
    "staff": "人力",
    "maintenance": "维护",
    "annual_own": "全年自购",
    "annual_rent": "全年租用",
    # other
    "passed": "成立",
    "failed": "不成立",
    "unknown": "未知",
    "none": "无",
    "mixed": "混合",
    "any": "任意",
}
FIELDS: Mapping[str, str] = {
    "family": "系列",
    "vendor": "厂商",
    "software": "软件栈",
    "architecture": "架构",
    "compute_capability": "计算能力",
    "year": "年份",
    "memory_gib": "显存 (GiB)",
    "usable_memory_gib": "可用显存 (GiB)",
    "bandwidth_gbs": "显存带宽 (GB/s)",
    "fp64_tflops": "FP64 (TFLOPS)",
    "fp32_tflops": "FP32 (TFLOPS)",
    "tf32_tflops": "TF32 (TFLOPS)",
    "fp16_tflops": "FP16 (TFLOPS)",
    "bf16_tflops": "BF16 (TFLOPS)",
    "fp8_tflops": "FP8 (TFLOPS)",
    "int8_tops": "INT8 (TOPS)",
    "fp4_tflops": "FP4 (TFLOPS)",
    "nvlink_gbs": "NVLink (GB/s)",
    "pcie_gen": "PCIe 代数",
    "tdp_w": "功耗 (W)",
    "mig_max": "MIG 切片上限",
    "form": "形态",
    "confidence": "可信度",
    "source": "来源",
    "rank": "名次",
    "tie_group": "并列组",
    "provider": "云厂商",
    "type": "类型",
    "instance_type": "实例类型",
    "instances": "实例数",
    "device": "加速卡",
    "devices": "加速卡数",
    "used": "使用数",
    "partition": "切片",
    "purchase": "购买方式",
    "run": "单次运行",
    "rate": "每秒速率",
    "unit": "单位",
    "cost_per_unit": "单位成本",
    "per_unit": "单位成本",
    "basis": "依据",
    "mode": "模式",
    "what": "项目",
    "place": "次序",
    "counted": "计入",
    "payment": "付款方式",
    "available": "可购买",
    "why_not": "原因",
    "effective_per_hour": "有效每小时价格",
    "price_per_device_hour": "每卡时价格",
    "monthly": "每月",
    "monthly_low": "每月下限",
    "monthly_high": "每月上限",
    "mean_units": "平均单元数",
    "saving_pct": "节省 (%)",
    "break_even_hours_per_month": "每月回本小时数",
    "binds": "绑定",
    "notes": "说明",
    "job": "作业",
    "job_low": "作业下限",
    "job_high": "作业上限",
    "finish_hours": "完成 (小时)",
    "finish_low_hours": "完成下限 (小时)",
    "finish_high_hours": "完成上限 (小时)",
    "price_as_of": "价格日期",
    "price_source": "价格来源",
    "region_low": "区域最低",
    "region_high": "区域最高",
    "regions": "区域数",
    "interconnect": "卡间互联",
    "rdma": "RDMA",
    "network_gbps": "网络 (Gbit/s)",
    "vcpus_per_device": "每卡 vCPU",
    "host_memory_gib_per_device": "每卡主机内存 (GiB)",
    "local_disk_gb": "本地盘 (GB)",
    "count": "数量",
    "usable_gib": "可用 (GiB)",
    "needed_gib": "需要 (GiB)",
    "headroom_gib": "剩余 (GiB)",
    "max_cached_tokens": "可缓存 token",
    "max_batch": "最大批次",
    "max_context": "最大上下文",
    "native_precision": "原生精度",
    "instance": "实例",
    "line": "项目",
    "figure": "数据",
    "low": "下限",
    "likely": "可能值",
    "expected": "预期",
    "high": "上限",
    "name": "名称",
    "region": "区域",
    "option": "购买方式",
    "term": "期限",
    "class": "类别",
    "price_per_hour": "每小时价格",
    "currency": "货币",
    "as_of": "日期",
    "confirmed_on": "最近确认",
}
"""Fields of a device and of a price, over columns and before values."""

_UNITS = {"y": "年", "mo": "个月", "m": "个月", "w": "周", "d": "天", "h": "小时"}
_TERM = re.compile(r"(\d+)(y|mo|m|w|d|h)")
_PERIODS = {"hour": "小时", "day": "天", "month": "月", "year": "年", "run": "次"}

PARAMETERS = frozenset(
    {
        "basis", "condition", "confidence", "mode", "option", "sold", "state", "status", "term",
        "terms", "tier", "link", "unit", "units",
    }
)  # fmt: skip
"""Parameters of messages that hold such words as the code spells them."""

LISTS = frozenset(
    {
        "allowed",
        "available",
        "devices",
        "kinds",
        "known",
        "names",
        "nearest",
        "providers",
        "regions",
        "types",
        "words",
    }
)
"""Parameters that may hold names in a row, set apart by commas."""

_AMOUNT = re.compile(r"(?<=[\d?）])( [A-Z]{3})(/(?:hour|day|month|year|run)|/h)?(?![\w=])")


def chinese(code: str) -> str:
    """`on_demand` is 按需, `1y` is 1 年; what is no such word stays, with spaces."""
    return known(code) or code.replace("_", " ")


def known(code: str) -> str | None:
    """The Chinese of a closed word or a term; None for anything else."""
    term = _TERM.fullmatch(code)
    return WORDS.get(code) if term is None else f"{term[1]} {_UNITS[term[2]]}"


def column(name: str) -> str:
    """The name of a column: `price_per_hour` is 每小时价格, `monthly_EUR` is 每月 (EUR)."""
    key = name.replace(" ", "_")
    stem, _, currency = key.rpartition("_")
    if currency.isupper() and stem in FIELDS:
        return f"{FIELDS[stem]} ({currency})"
    return FIELDS.get(key, name)


def translated(id: str, params: dict[str, object]) -> dict[str, object]:
    """The parameters of a message in Chinese: closed words, the catalogs' prose, its currency."""
    for key, value in params.items():
        if not isinstance(value, str):
            continue
        if id == "catalog.bad_value" and key == "expected":
            params[key] = expected(value)
        elif key in PARAMETERS:
            params[key] = "、".join(known(part) or part for part in value.split(", "))
        elif key == "currency" and value == "CNY" and not id.startswith("cost."):
            params[key] = "元"
        elif key in LISTS:
            params[key] = value.replace(", ", "、")
        elif key == "reason" and value in SYSTEM:
            params[key] = SYSTEM[value]
        elif " " in value:
            params[key] = PROSE.get(value, value)
    return params


def amounts(text: str) -> str:
    """`5,000 CNY/month` is 5,000 元/月; other currencies keep their code."""
    return _AMOUNT.sub(_amount, text).replace("） ", "）")


def _amount(found: re.Match[str]) -> str:
    unit = " 元" if found[1] == " CNY" else found[1]
    period = found[2]
    if period is None:
        return unit
    return f"{unit}/{_PERIODS.get(period[1:], '小时')}"
