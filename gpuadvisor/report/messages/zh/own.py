"""Texts of `own`."""

from __future__ import annotations

ZH: dict[str, str] = {
    # faults
    "own.no_device": "请用 --device 说明购买什么，例如 --device H100-80GB-SXM --gpus 8",
    "own.no_capex": (
        "{gpus} 张 {device}（{condition}）的购买价未知：请用 --capex 给出包括主机在内的总价"
    ),
    "own.no_power": "{device} 的功耗未知：请给出 --power-kw",
    "own.no_rent": "{what} 在 {region} 没有租用价格：请用 --rent 指定其他实例",
    "own.no_utilisation": "--utilisation 必须大于 0",
    "own.capex_once": "--capex {value}：购买只付一次，不要写周期",
    # answer
    "own.answer_own": (
        "自购 {gpus} x {device} 每年 {own}，租用 {what} 在 {busy} % 利用率下每年 {rent}："
        "利用率达到 {share} %（每年 {hours} 小时）起自购更便宜。"
    ),
    "own.answer_rent": (
        "租用 {what} 在 {busy} % 利用率下每年 {rent}，自购 {gpus} x {device} 每年 {own}："
        "利用率达到 {share} %（每年 {hours} 小时）起自购才更便宜。"
    ),
    "own.answer_never": (
        "租用 {what} 在 {busy} % 利用率下每年 {rent}，自购 {gpus} x {device} 每年 {own}："
        "按这些价格自购始终不会更便宜。"
    ),
    "own.year": "自购一年的费用（{currency}）",
    "own.line_capital": "资本：购置价减残值，按资金成本计",
    "own.line_colocation": "机柜托管",
    "own.line_energy": "电费",
    "own.line_staff": "人力",
    "own.line_maintenance": "维护",
    "own.total": "合计",
    "own.range": "区间",
    "own.renting": "租用 {what}，{place}，{terms}，{hours} 小时",
    "own.break_even": "盈亏平衡利用率：全年的 {share} %（{low} - {high} %）",
    "own.break_even_exact": "盈亏平衡利用率：全年的 {share} %",
    "own.pays": "{busy} % 利用率下，省下的租金在 {months} 个月后抵回购置款，不计转售。",
    "own.pays_late": (
        "{busy} % 利用率下，省下的租金在 {months} 个月后抵回购置款：晚于 {years} 年的折旧期，"
        "不计转售。"
    ),
    "own.pays_never": "{busy} % 利用率下，省下的租金始终抵不回购置款。",
    "own.moves": "影响最大的是{name}（盈亏平衡利用率 {low} - {high} %）",
    "own.swings": "各输入对盈亏平衡利用率的影响",
    "own.figures": "数据",
    "own.figure_line": "{name}：{value}{range}，{origin}",
    "own.unit_both": (
        "每{unit}：自购 {own}，租用 {rent} {currency}；自购按 {busy} % 利用率，"
        "租用按满载（{basis}）"
    ),
    "own.unit_unknown": "{workload} 在两者上的速度并非都已知，因此没有单位成本。",
    "own.next": "接着：gpuadvisor reserve --curve FILE --unit {what}",
    # figures
    "own.figure_capex": "购置价",
    "own.figure_years": "年限",
    "own.figure_residual": "残值",
    "own.figure_wacc": "资金成本",
    "own.figure_power_kw": "功率（kW）",
    "own.figure_pue": "PUE",
    "own.figure_load": "平均负载",
    "own.figure_kwh_price": "电价（每 kWh）",
    "own.figure_colo": "托管费（每 kW 每月）",
    "own.figure_staff": "人力（每年）",
    "own.figure_maintenance": "维护（每年）",
    "own.figure_rent_per_hour": "每小时租金",
    "own.origin_yours": "您给出的",
    "own.origin_assumed": "假设",
    # warnings
    "own.capex_from": "购置价取自公开页面：{title}，{condition}",
    "own.card_alone": "购置价只含加速卡：主机另计（--capex）",
    "own.power_from_tdp": "功率由加速卡额定功率推算，主机和风扇按 1.3-2.0 倍计",
    "own.weak": "不够可靠的数据，请替换为您自己的：{figures}",
    "own.no_staff": "未计人力（--staff）",
    "own.colo_energy": "托管通常另按电表计电费：请确认，如是请加 --kwh-price",
    "own.consumer": "消费级显卡：没有 ECC 和服务协议，且驱动许可禁止用于数据中心",
    "own.other_device": ("租用的是另一种加速卡 {device}：请指定 --workload 以按每单位工作量比较"),
}
