"""Texts of `compare`."""

from __future__ import annotations

ZH: dict[str, str] = {
    # why there is no speed
    "compare.no_speed": "{device} 在此工作上的速度未知",
    "compare.no_reference": "没有实测速度：{reason}",
    "compare.other_software": "代码须移植到 {software}；其速度未知",
    "compare.unsuited": "无法胜任此工作：{reason}",
    "compare.no_memory": "一个副本需要 {memory} GiB：装不下",
    # assumptions and warnings
    "compare.busy": "单位成本按 100 % 满载计",
    "compare.normalised": "按所有付费的加速卡都在工作计，即使所要求的数量更少",
    "compare.other_option": "{type} 不按需出售；所示为{option}",
    "compare.old_prices": "过时的价格：{types}",
    # line 1
    "compare.one": "{what} 每卡时最便宜的是 {place}：{amount}（{type}，{option}）。",
    "compare.spread": "所列中最贵的是 {place}，{amount}。",
    "compare.several": "每卡时：{parts}。",
    "compare.part": "{what} 在 {place} 为 {amount}",
    "compare.unpriced": "{what} 没有已知的可购买价格。",
    # header
    "compare.label_workload": "负载",
    "compare.label_hours": "时长",
    "compare.label_assumed": "假设",
    "compare.label_prices": "价格",
    "compare.label_exchange": "汇率",
    "compare.workload": "{name}（{title}），{mode}",
    "compare.reference": "；速度由 {device} 的实测推算：{measured}",
    # verdicts
    "compare.wins": (
        "{mode}时，{winner} 优于 {loser}，后者每{unit}成本是前者的 {factor} 倍（{votes}）；"
        "计入速度模型误差为 {low}-{high}，因此该顺序在 {confidence} 的情况下成立。"
    ),
    "compare.parity": (
        "{mode}时，{winner} 与 {loser} 接近持平：后者每{unit}成本是前者的 {factor} 倍（{votes}），"
        "但速度模型的误差允许 {low}-{high}。"
    ),
    "compare.wins_for_sure": (
        "{mode}时，{winner} 优于 {loser}，后者每{unit}成本是前者的 {factor} 倍（{votes}）。"
    ),
    "compare.overall": "所有云厂商中，{mode}时：{parts}。",
    "compare.overall_part": "{what} 每{unit} {cost} {currency}（{type}，{place}）",
    "compare.flip": (
        "若一张 {second} 的工作量超过一张 {first} 的 {needed} 倍，顺序将反转；"
        "此处取 {has}（{low}-{high}）{packed}。"
    ),
    "compare.flip_below": (
        "若一张 {second} 的工作量低于一张 {first} 的 {needed} 倍，顺序将反转；"
        "此处取 {has}（{low}-{high}）{packed}。"
    ),
    "compare.packed": "，每张 {device} 由 {streams} 个进程共用（单进程为 {solo}）",
    "compare.vote": "{provider} {ratio}",
    "compare.packing_single": "{what}（单卡机型）",
    "compare.packing_box": "{what}（同一台机器内）",
    "compare.packing_any": "{what}",
    "compare.relative_unit": " {device} 小时的工作量",
    # rows
    "compare.group": "{what}（{all} 个中的 {shown} 个）：",
    "compare.group_all": "{what}：",
    "compare.each": "{amount} {currency}/卡时",
    "compare.no_price": "无价格",
    "compare.unit_cost": "{mode}：每{unit} {cost} {currency}",
    "compare.unit_cost_range": "{mode}：每{unit} {cost} {currency}（{low}-{high}）",
    "compare.no_unit_cost": "{mode}：{reason}",
    "compare.regions": "{count} 个区域从 {low}（{low_region}）到 {high}（{high_region}）",
    "compare.region": "只有一个区域提供",
    "compare.regions_same": "{count} 个区域价格相同",
    "compare.terms": "{term} {amount}",
    "compare.paid_used": "支付 {paid} 张，使用 {used} 张",
    "compare.fact_device": "{value}",
    "compare.fact_memory_gib": "{value} GiB",
    "compare.fact_devices_per_instance": "每台 {value} 张",
    "compare.unjoined": "单卡",
    "compare.fact_interconnect": "{value} 互联",
    "compare.fact_rdma": "RDMA：{value}",
    "compare.fact_network_gbps": "{value} Gbit/s",
    "compare.fact_vcpus_per_device": "每卡 {value} vCPU",
    "compare.fact_host_memory_gib_per_device": "每卡 {value} GiB 主机内存",
    "compare.fact_local_disk_gb": "本地盘 {value} GB",
    "compare.fact_mig_max": "MIG：{value}",
    "compare.fact_arch": "{value}",
    "compare.fact_bandwidth_gbs": "{value} GB/s",
    "compare.fact_fp16_tflops": "{value} TFLOPS",
    "compare.fact_terms": "购买方式：{value}",
    "compare.mig_yes": "最多 {count} 个",
    "compare.mig_no": "不支持",
    "compare.same": "各项相同：{facts}。",
    "compare.next": "接着：{command}",
}
