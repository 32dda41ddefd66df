"""Texts of `estimate`."""

from __future__ import annotations

ZH: dict[str, str] = {
    # faults
    "estimate.bad_count": "{what}：数量应为 1 到 {most}，例如 4x g5.xlarge",
    "estimate.unknown_field": "`{field}` 不是 estimate 的参数",
    "estimate.no_what": "请说明为什么计价：实例类型（4x g5.xlarge）或加速卡（8xA100）",
    "estimate.many_whats": "一次最多为 {most} 项计价",
    "estimate.other_provider": "{what} 是 {providers} 的类型；请去掉 --provider 或改为该云厂商",
    "estimate.other_region": "{what} 是 {providers} 的类型，该云厂商没有区域 {regions}",
    "estimate.nowhere": "当地没有可购买且能提供 {what} 的实例；有价格的地方：{places}",
    # answer
    "estimate.answer_one": "{what} 在 {place} {option}每月 {amount}{period}。",
    "estimate.answer_other": (
        "{what} 不按需出售；在 {place} 以{option}购买每月 {amount}{period}。"
    ),
    "estimate.answer_many": "{count} 项合计每月 {amount}{period}。",
    "estimate.answer_unpriced": "{what} 在 {place} 没有已知的可购买价格。",
    "estimate.answer_unpriced_many": "总价未知：{what} 没有可购买的价格。",
    "estimate.over_months": "，{months} 个月共 {amount}",
    "estimate.instances": "{count} x {type}",
    "estimate.label_hours": "时长",
    "estimate.label_assumed": "假设",
    "estimate.label_prices": "价格",
    "estimate.label_exchange": "汇率",
    "estimate.header_hours": "每月 {hours} 小时；价格时效以 {today} 计",
    "estimate.version": "{provider} {version}（截至 {date}）",
    "estimate.amounts_in": "金额单位为 {currency}。",
    "estimate.rate": "1 {base} = {rate} {quote}（ECB {date}）",
    "estimate.rate_own": "1 {base} = {rate} {quote}（您指定的汇率）",
    "estimate.alternatives": "{what}：{all} 种方案中的 {shown} 种，由低到高",
    "estimate.alternatives_all": "{what}：{all} 种方案，由低到高",
    "estimate.bill": "物料清单，单位 {currency}/月",
    "estimate.total": "每月合计",
    "estimate.total_range": "区间",
    "estimate.total_period": "{months} 个月合计",
    "estimate.range": "{low} 至 {high}",
    "estimate.item_head": "{what}，{place}：{shape}",
    "estimate.item_devices": "{count} x {device}（每张 {memory} GiB）",
    "estimate.item_device": "{device}（{memory} GiB）",
    "estimate.item_slice": "{device} 的 {share}（{memory} GiB）",
    "estimate.item_host": "{vcpus} vCPU、{memory} GiB 主机内存",
    "estimate.unavailable": "无法购买：",
    "estimate.unavailable_line": "{options}：{reason}",
    "estimate.per_device_hour": "每卡时 {amount}",
    "estimate.also": "{terms} {amount}",
    "estimate.none": "无价格",
    "estimate.published": "公布价 {amount}",
    "estimate.next": "接着：{command}",
    "estimate.col_hour": "{currency}/小时",
    "estimate.col_month": "{currency}/月",
    "estimate.col_saving": "节省",
    "estimate.col_break_even": "回本时长",
    "estimate.break_even": "{hours} 小时",
    "estimate.never": "不回本",
    "estimate.seen": "{confidence}，{date}",
    "estimate.seen_again": "{confidence}，{date}，{confirmed} 时未变",
    "estimate.confidence_official": "官方价",
    "estimate.confidence_secondary": "第三方来源价",
    "estimate.confidence_low": "低可信度价格",
    "estimate.your_price": "您的价格",
    "estimate.stale": "过时",
    "estimate.effective": "预付款分摊到整个期限后每小时 {amount}",
    "estimate.average": "平均每小时 {amount}",
    "estimate.native": "公布价为 {amount}",
    "estimate.job": "{hours} 小时的作业：{amount}",
    "estimate.payment_no_upfront": "无预付",
    "estimate.payment_partial_upfront": "部分预付",
    "estimate.payment_all_upfront": "全额预付",
    # options
    "estimate.option_on_demand": "按需",
    "estimate.option_spot": "竞价",
    "estimate.option_reserved": "预留",
    "estimate.option_savings_plan": "节省计划",
    "estimate.option_committed_use": "承诺使用",
    "estimate.option_subscription": "包年包月",
    "estimate.option_capacity_block": "容量块",
    "estimate.option_flex_start": "弹性启动",
    "estimate.option_calendar": "日历预留",
    # what an option binds
    "estimate.capacity_only": "保留容量，不是折扣",
    "estimate.binds_instance_type": "绑定{scope}内的这一实例类型",
    "estimate.binds_family": "绑定{scope}内的实例系列，大小不限",
    "estimate.binds_money_per_hour": "承诺每小时金额，{scope}内类型不限",
    "estimate.binds_resources": "绑定{scope}内一定量的 vCPU、内存和 GPU",
    "estimate.scope_zone": "可用区",
    "estimate.scope_region": "区域",
    "estimate.scope_global": "账号所有区域",
    "estimate.convertible": "可换为等值或更高价值的其他类型",
    "estimate.needs_reservation": "GPU 需要附带容量预留",
    "estimate.max_days": "最多 {days} 天",
    "estimate.upfront": "预付",
    "estimate.queued": "排队启动，只按实际运行计费",
    "estimate.unused_lost": "未用的小时作废",
    "estimate.no_capacity": "不保留容量",
    "estimate.sustained": "按月持续使用折扣 {percent} %",
    "estimate.spot_notice": "回收前 {seconds} 秒通知",
    "estimate.interruption": "每月中断 {bucket}",
    "estimate.measure_zones": "下限为最便宜的可用区",
    "estimate.measure_region_lowest": "区域内最低价",
    "estimate.measure_zone_mean": "各可用区均价",
    "estimate.measure_list": "云厂商公布价",
    "estimate.measure_market_median": "市场实时报价的中位数",
    "estimate.spot_ceiling": "上限为按需价格",
    # why not
    "estimate.not_sold": "此类型不以该方式出售，出售方式为{sold}",
    "estimate.not_sold_published": "有目录价，但此类型不以该方式出售；出售方式为{sold}",
    "estimate.retired": "已于 {date} 退役；只有仍在运行的机器按公布价计费",
    "estimate.retired_undated": "已退役；只有仍在运行的机器按公布价（如有）计费",
    "estimate.status_price_only": "有公布价，但不提供该规格",
    "estimate.status_preview": "尚未出售的预览名称",
    "estimate.status_unclear": "没有来源表明目前在售",
    "estimate.status_active": "没有来源表明有任何出售方式",
    "estimate.status_frozen": "没有来源表明有任何出售方式",
    "estimate.status_retired": "已退役",
    "estimate.too_old": "价格已有 {days} 天，超过 --max-age {limit}",
    "estimate.price_unknown": "价格未知：目录 {catalog} 在任何区域都没有记录；如有报价：{own}",
    "estimate.price_elsewhere": (
        "目录 {catalog} 中 {region} 的价格未知，{regions} 的价格已知；如有报价：{own}"
    ),
    # notes on a type
    "estimate.retired_note": "已退役：无法再购买；所示为公布价",
    "estimate.retires": "将于 {date} 退役",
    "estimate.frozen": "容量冻结：云厂商不再扩容，因此很难买到",
    "estimate.scope_gpu_only": "价格只含 GPU；主机和内存另计",
    "estimate.scope_per_gpu_rate": "按 GPU 出售；价格为单卡费率乘以数量",
    "estimate.paid_used": "支付 {paid} 张加速卡，使用 {used} 张：云厂商不出售更少的数量",
    "estimate.quota": "需要配额 {name}（{title}）：{amount} {unit}",
    "estimate.unit_vcpus": "vCPU",
    "estimate.unit_gpus": "张 GPU",
    # assumptions
    "estimate.committed_hours": "承诺类按每月全部 730 小时付费，不论是否使用",
    "estimate.capital": "预付款按每年 {percent} % 的资金成本计（--capital-cost）",
    "estimate.partial": "部分预付按立即支付总价的一半计",
    "estimate.discount": "{provider}：低于目录价 {percent} %（您的折扣；不适用于竞价）",
    "estimate.markup": "价格含 {percent} % 加价",
    "estimate.months": "共 {months} 个月；承诺须付满整个期限，即使期限更长",
    "estimate.reference_without": ("{what} 在其云厂商的参考区域没有价格；所示为有价格的区域"),
    # warnings
    "estimate.line_unpriced": "{what}：{type} 没有既有价格又可购买的方式",
    "estimate.line_other": "{type} 在此不按需出售；该项按{option}计",
    "estimate.line_stale": "{type} 的价格最近一次确认于 {date}",
    # demand over the day
    "estimate.no_curve": "{flag} 针对全天的需求：请与 --curve FILE 一起使用",
    "estimate.requests_need": (
        "请求数曲线需要 --per-unit，即一个单元每小时能处理的请求数；单元数曲线则不需要"
    ),
    "estimate.min_above_max": "--min {least} 大于 --max {most}",
    # jobs that may be interrupted
    "estimate.no_job": "{flag} 针对作业：请用 --job-hours 给出时长",
    "estimate.checkpoint_twice": "--no-checkpoint 表示不写检查点：请去掉 --checkpoint-every",
    "estimate.job_answer": "{hours} 小时的作业：{parts}{refused}。",
    "estimate.job_only_refused": "{hours} 小时的作业不可行。",
    "estimate.job_on": "{option} {amount}",
    "estimate.job_refused": "；该方案不可行",
    "estimate.job_refused_on_spot": "；竞价方案不可行",
    "estimate.job_runs": "运行 {hours} 小时（比不中断多 {more} %）",
    "estimate.job_done": "{hours} 小时后完成",
    "estimate.job_interruptions": (
        "预计中断 {count} 次，每小时 {expected} 次（{low}-{high}，{basis}）"
    ),
    "estimate.bad_band": (
        "--interruptions-per-hour {value}：请写频率（例如 0.15），或一小时内被回收的概率"
        "（例如 5-10%）"
    ),
    "estimate.job_pays_below": "每小时中断不超过 {rate} 次时比按需便宜",
    "estimate.job_interval": "每 {minutes} 分钟一个检查点",
    "estimate.job_no_interval": "时长很短，不需要检查点",
    "estimate.job_unprotected": "无检查点：每次中断都要从头开始",
    "estimate.job_moves": "对账单影响最大的是{name}（{low}-{high}）",
    "estimate.moves_head": "各输入对 {what} 上作业账单的影响（{currency}）",
    "estimate.moves_price": "竞价价格",
    "estimate.moves_hazard": "中断频率",
    "estimate.moves_checkpoint": "写检查点的时间",
    "estimate.moves_restart": "重启时间",
    "estimate.basis_own": "您给出的频率，误差在 2 倍以内",
    "estimate.basis_aws_bucket": "AWS 的月度档位，其统计口径未公布",
    "estimate.basis_azure_hourly": "Azure 的每小时驱逐率",
    "estimate.basis_gcp_share": "GCP 的被抢占比例",
    "estimate.basis_unknown": "猜测值：该云厂商在此没有公布数据",
    "estimate.notice_fits": (
        "一个 {needed} 秒的检查点可在通知期内写完：用钩子写检查点几乎不损失进度，但不作保证"
    ),
    "estimate.notice_short": (
        "一个 {needed} 秒的检查点无法在 {seconds} 秒的通知期内写完：不要依赖它"
    ),
    "estimate.failures": (
        "按需也会故障：{devices} 张加速卡在 {hours} 小时内预计停机 {count} 次；同样要写检查点"
    ),
    "estimate.max_price": "不要设置最高出价：出价上限只会增加中断，而竞价从不高于按需",
    "estimate.spot_infeasible": (
        "{hours} 小时的作业在每小时中断 {rate} 次的竞价实例上很难完成：将运行{times}；{advice}"
    ),
    "estimate.spot_times": " {times} 倍的时间",
    "estimate.spot_for_ever": "无限长的时间",
    "estimate.spot_saved": "每 {minutes} 分钟写一个检查点可使其可行",
    "estimate.spot_hopeless": "任何检查点间隔都无济于事",
    "estimate.spot_unprotected": ("没有检查点的 {hours} 小时作业，时长应低于中断间隔的五分之一"),
    "estimate.spot_not_worth": "计入中断后，该作业用竞价并不更省",
    "estimate.spot_may_be_late": (
        "用竞价时作业在 {low} 至 {high} 小时后完成，截止时间为 {limit} 小时：若没有进展，"
        "在 {switch} 小时后转为按需{least}"
    ),
    "estimate.spot_late": (
        "只用竞价会错过 {limit} 小时的截止时间（{low} 至 {high} 小时）："
        "在 {switch} 小时后转为按需{least}"
    ),
    "estimate.rescue_cost": "；按时完成至少需要按需成本的 {percent} %",
    "estimate.rescue_unknown": "",
    "estimate.deadline_impossible": (
        "{hours} 小时的作业无法在这些实例上于 {limit} 小时内完成：请用更多或更快的实例"
    ),
    "estimate.price_unused": (
        "您为 {type} {option} 给出的价格未被使用：所列选项中没有该类型与购买方式"
    ),
}
