"""Texts of `recommend` for people."""

from __future__ import annotations

ZH: dict[str, str] = {
    "recommend.nothing": "目录中没有满足这些要求的实例类型。",
    "recommend.lead": "建议租用 {what}，{place}，{terms}：{cost}{unit}。",
    "recommend.lead_unserved": (
        "速度已知的实例都无法满足这一需求。速度未知的实例中最便宜的是 {what}，{place}，"
        "{terms}：{cost}，"
        "它也未必能满足。"
    ),
    "recommend.lead_unsized": (
        "最便宜的是 {what}，{place}，{terms}：{cost}；由于速度未知，无法给出满足需求所需的数量。"
    ),
    "recommend.doubt_secondary": "该价格来自 {date} 的第三方来源。",
    "recommend.doubt_stale": "该价格的日期为 {date}。",
    "recommend.between_zones": "可用区之间的流量另计：{cost}。",
    "recommend.lead_stale": "{stale}。",
    "recommend.over_budget": (
        "预算内没有可行方案。可行方案中最便宜的是 {what}，{place}，{terms}：{cost}，"
        "超出预算 {gap}{unit}。"
    ),
    "recommend.terms_on_demand": "按需",
    "recommend.terms_spot": "竞价",
    "recommend.terms_reserved": "预留",
    "recommend.terms_savings_plan": "节省计划",
    "recommend.terms_committed_use": "承诺使用",
    "recommend.terms_subscription": "包年包月",
    "recommend.terms_capacity_block": "容量块",
    "recommend.terms_flex_start": "弹性启动",
    "recommend.terms_calendar": "日历预留",
    "recommend.money_month": "{money} {currency}/月",
    "recommend.money_run": "{money} {currency}/次",
    "recommend.per_month": "每月",
    "recommend.per_run": "每次运行",
    "recommend.cost_tiny": "每月不足 0.01 {currency}",
    "recommend.cost_month": "每月 {money}",
    "recommend.cost_run": "整次运行 {money}，约 {hours} 小时",
    "recommend.unit_clause": "，每{unit} {cost}",
    "recommend.relative_unit": " {device} 小时的工作量",
    "recommend.label_workload": "负载",
    "recommend.label_budget": "预算",
    "recommend.label_demand": "需求",
    "recommend.label_hours": "时长",
    "recommend.label_assumed": "假设",
    "recommend.label_objective": "排名依据",
    "recommend.label_prices": "价格",
    "recommend.hours": "每月 {hours} 小时；价格时效以 {today} 计",
    "recommend.version": "{provider} {version}（截至 {date}）",
    "recommend.workload": "{name}（{title}），{mode}",
    "recommend.exchanged": "{amount} = {other}（{origin}）",
    "recommend.no_workload": "未指定：仅按价格排名",
    "recommend.reference": "；速度由 {device} 的实测推算：{measured}",
    "recommend.rate_ecb": "ECB {date}",
    "recommend.rate_own": "您指定的汇率",
    "recommend.demand_rate": "每秒 {rate} {units}",
    "recommend.demand_volume": "每月 {count} {units}",
    "recommend.requests": "个请求",
    "recommend.demand_users": "始终有 {users} 个并发用户",
    "recommend.demand_ttft": "99 % 的首 token 在 {ms} 毫秒内",
    "recommend.demand_tpot": "99 % 的后续 token 每个在 {ms} 毫秒内",
    "recommend.served": (
        "{replicas} 个副本，每个副本 {most} 个序列中同时处理 {sequences} 个；99 % 的首 token 在"
        " {ttft} 毫秒内，后续每个 {tpot} 毫秒"
    ),
    "recommend.served_split": (
        "{replicas} 个副本，每个副本用 {split} 张加速卡，{most} 个序列中同时处理 {sequences} 个；"
        "99 % 的首 token 在 {ttft} 毫秒内，后续每个 {tpot} 毫秒"
    ),
    "recommend.sliced": "每张加速卡切成 {slices} 个 {partition}，每个切片跑一个进程",
    "recommend.queue_batched": (
        "{servers} 张加速卡分批处理，计算量相当于 {busy} 张满载：99 % 在 {p99} 毫秒内"
    ),
    "recommend.queue": (
        "{servers} 个常驻进程，其中 {busy} 个忙碌（余量 {spare}）：99 % 在 {p99} 毫秒内"
    ),
    "recommend.demand_deadline": "{hours} 小时内完成",
    "recommend.demand_run": "{count} {units}（{what}）",
    "recommend.demand_training": "{count} {units}",
    "recommend.demand_p99": "99 % 的响应在 {ms} 毫秒内",
    "recommend.demand_low": "低延迟",
    "recommend.demand_gpus": "共 {gpus} 张加速卡",
    "recommend.demand_nodes": "{nodes} 个实例",
    "recommend.objective_cost": "成本",
    "recommend.objective_unit_cost": "每{unit}的成本，按 100 % 满载计（未给出需求）",
    "recommend.objective_time": "完成时间",
    "recommend.objective_price": "价格，因为速度未知",
    "recommend.policy_seed": "；seed 策略：决策树中第一个成立的分支",
    "recommend.no_speed": "没有实测速度：仅按价格排在其他选项之后",
    "recommend.more_providers": "，另有 {count} 家",
    "recommend.rate": "每秒 {rate} {units}（{span}，{basis}）",
    "recommend.relative_rate": "{device} 的 {rate} 倍（{span}，{basis}）",
    "recommend.basis_measured": "实测",
    "recommend.basis_fitted": "拟合",
    "recommend.basis_spec": "按规格推算",
    "recommend.cost_busy": "100 % 满载时每{unit} {cost}（30 % 时 {idle}）",
    "recommend.cost_unit": "每{unit} {cost}",
    "recommend.part_of_month": "按 {all} 小时中的 {hours} 小时计费",
    "recommend.run_hours": "{hours} 小时（{span}）",
    "recommend.spot_finish": (
        "其中 {more} % 因中断而产生（预计中断 {count} 次），{hours} 小时后完成（{span}）"
    ),
    "recommend.whole": "含存储与流量（{storage}）共 {whole} {currency}/月",
    "recommend.whole_unknown": "存储与流量：此处部分价格未知",
    "recommend.fits": "预算可支付 {count} 份",
    "recommend.if_committed": "若承诺使用：每月 {prices}",
    "recommend.your_price": "您的价格 {price} {currency}/小时",
    "recommend.feed_wanted": "需从{place}读取 {gigabytes} GB/s{vcpus}",
    "recommend.feed_vcpus": "，并占用 {vcpus} 个 vCPU",
    "recommend.feed_limited": "{name}只能供给其中的 {share}",
    "recommend.feed_cured": "{limit}：{cure}",
    "recommend.feed_local": "本地 NVMe ",
    "recommend.feed_disk": "默认规格的云盘",
    "recommend.feed_fast_disk": "最高规格的云盘",
    "recommend.feed_network": "网络存储",
    "recommend.feed_cores": "vCPU ",
    "recommend.host_bound": "受限于其 {vcpus} 个 vCPU",
    "recommend.packed": "{streams} 个进程共用一张加速卡（吞吐 {gain} 倍）",
    "recommend.mfu": "达到峰值算力的 {share}",
    "recommend.mfu_assumed": "假设达到峰值算力的 {share}，尚无公开的训练记录",
    "recommend.efficiency": "线性加速的 {share}",
    "recommend.measure_zones": "竞价：各可用区的最低价与中位价",
    "recommend.measure_region_lowest": "竞价：区域内最低价",
    "recommend.measure_zone_mean": "竞价：各可用区均价",
    "recommend.measure_list": "竞价：云厂商公布价",
    "recommend.ties": "= ：差距小于速度模型的分辨能力，视为并列。",
    "recommend.widened": "决策树（--policy seed）会排除以下选项，单位 {currency}/月：{types}",
    "recommend.change": "哪些变化会改变结论：{text}",
    "recommend.rejected": "共考察 {considered} 种类型，排除 {removed} 种：{reasons}",
    "recommend.sources": "来源",
    "recommend.next": "接着：{command}",
}
