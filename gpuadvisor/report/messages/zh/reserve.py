"""Texts of `reserve`."""

from __future__ import annotations

ZH: dict[str, str] = {
    # faults
    "reserve.no_curve": "请用 --curve FILE 给出需求：一个 hour,units 的 CSV",
    "reserve.no_unit": "请用 --unit 说明一个单元是什么，例如 --unit g5.xlarge",
    "reserve.bad_curve": "曲线应为 {lengths} 小时内各小时单元数（整数）的列表",
    "reserve.bad_term": "--term {value}：请写 1y、3y 或 1y,3y",
    "reserve.spot_twice": "--no-spot 与 --spot-share 只能给出一个",
    "reserve.bad_share": "{name} {value}：请写 0 到 1 之间的比例，例如 0.6 或 60%",
    "reserve.requests_need": (
        "请求数曲线需要 --workload 或 --per-unit（一个单元每小时处理的请求数）之一"
    ),
    "reserve.units_given": "曲线已以单元计：请去掉 --workload 和 --per-unit",
    "reserve.no_on_demand": "{what} 在 {region} 没有按需价格，无从比较",
    "reserve.no_speed": (
        "{workload} 在 {device} 上的绝对速度未知：请用 --per-unit 给出一个单元每小时处理的请求数"
    ),
    # assumptions
    "reserve.spot_share": "每小时 {percent} % 的单元可以中断（--spot-share、--no-spot）",
    "reserve.need_lasts": "需求持续超过一年的概率为 {percent} %（--need-lasts）",
    "reserve.capital_cost": "预付资金每年成本 {percent} %（--capital-cost）",
    "reserve.per_unit": "一个单元每小时处理 {rate} 个请求",
    "reserve.per_workload": "单元数按 {workload} 在 70 % 利用率下的速度计算",
    # warnings
    "reserve.term_unpriced": "{what} 在 {region} 没有 {term} 承诺的价格",
    "reserve.three_years_long": (
        "三年对 GPU 来说很长：2025 年 6 月，A100 和 H100 的目录价在一天内下跌了三分之一至 44 %"
    ),
    "reserve.no_capacity": "承诺锁定的是价格而不是容量：它不保留机器",
    "reserve.stale": "{term} 的费率日期为 {date}：签约前请获取最新报价",
    # answer
    "reserve.answer": (
        "承诺 {units} x {what}，{term}（{option}）{rest}：每月 {cost}，全部按需则为 {usual}，"
        "节省 {saving} %。"
    ),
    "reserve.answer_two": (
        "承诺 3 年 {three} x {what}、1 年 {one} 个{rest}：每月 {cost}，全部按需则为 {usual}，"
        "节省 {saving} %。"
    ),
    "reserve.rest_both": "，另用最多 {spot} 个竞价和 {on_demand} 个按需",
    "reserve.rest_spot": "，另用最多 {spot} 个竞价",
    "reserve.rest_on_demand": "，另用最多 {on_demand} 个按需",
    "reserve.answer_spot": (
        "不作承诺；最多 {units} x {what} 用竞价：每月 {cost}，全部按需则为 {usual}，"
        "节省 {saving} %。"
    ),
    "reserve.answer_none": "不作承诺：{what} 按需每月 {usual}。",
    "reserve.label_demand": "需求",
    "reserve.label_place": "位置",
    "reserve.label_assumed": "假设",
    "reserve.demand": "{hours} 小时：{low} 至 {peak} 个单元，平均 {mean} 个",
    "reserve.place": "{provider} {region}，{currency}；截至 {today}",
    "reserve.horizon": "成本为 {years} 年内每个需求月的平均值，含未用的承诺",
    "reserve.month": "第一年的平均月（{currency}）",
    "reserve.line_committed": "{units} x {option}，用与不用都计费",
    "reserve.line_mean": "平均 {units} 个，{option}",
    "reserve.total": "合计",
    "reserve.range": "价格区间",
    "reserve.all_on_demand": "全部按需",
    "reserve.weighed": "{option}，{rate}：使用时长达到 {share} % 起划算，{outcome}",
    "reserve.outcome_none": "这条曲线上一个单元也不采用",
    "reserve.outcome_pays": "{months} 个月后回本（{date}）",
    "reserve.outcome_never": "在这条曲线上整个期限内都不回本",
    "reserve.regret": "若需求下降 {fall} %，该方案每月多花 {amount}。",
    "reserve.regret_none": "若需求下降 {fall} %，该方案仍是最佳。",
    "reserve.chart": "各小时的单元数：{keys}",
    "reserve.chart_mean": "各小时的平均单元数：{keys}",
    "reserve.key_committed": "{mark} 承诺",
    "reserve.key_spot": "{mark} 竞价",
    "reserve.key_on_demand": "{mark} 按需",
    "reserve.next": "接着：gpuadvisor estimate {what} --region {region}",
}
