"""Texts of the advice room: what was assumed, why candidates fell out, what would change it."""

from __future__ import annotations

ZH: dict[str, str] = {
    "advice.faults": "{first}；{rest}",
    "advice.unknown_field": "请求中有未知字段 `{field}`；最接近的是 {nearest}",
    "advice.bad_field": "{flag} {value}：无效，应为：{expected}",
    "advice.expect_name": "名称",
    "advice.expect_number": "大于 0 且小于 1e18 的数",
    "advice.expect_count": "1 到 1,000,000 的整数",
    "advice.expect_share": "比例，例如 12% 或 0.12",
    "advice.expect_duration": "时长，例如 100ms、1.5s、12h 或 30d",
    "advice.expect_flag": "true 或 false",
    "advice.expect_discount": "“云厂商=比例”，例如 aws=12%",
    "advice.expect_date": "日期，例如 2026-11-30",
    "advice.expect_api_price": "输入和输出每百万 token 的价格，例如 0.15/0.60",
    "advice.expect_config": "config.json 的映射",
    "advice.expect_part": "大于 0 且不超过 1 的比例",
    "advice.expect_percentage": "百分数，例如 25",
    "advice.expect_price": "“provider/type@region:option=价格”，或“option=价格”",
    "advice.demand_needs_workload": "{flag} 需要配合 --workload，由它确定一单位工作量是什么",
    "advice.relative_only": (
        "{flag}：{workload}（{mode}）从未公布过绝对速率，只有加速卡之间的比值，因此无法计算数量；"
        "请去掉 {flag}，或换用另一种模式"
    ),
    "advice.region_elsewhere": "{providers} 在 `{region}` 没有区域",
    "advice.region_shared": (
        "{region} 同时是 {providers} 的区域；用 --region {one}/{region} 指定其中一家"
    ),
    "advice.regions_asked": "区域：{regions}",
    "advice.regions_reference": "各云厂商的参考区域（用 --region 更改）",
    "advice.options_spot": "按需与竞价，因为该工作可以中断且没有延迟目标",
    "advice.options_latency": "仅按需，因为有延迟目标",
    "advice.options_fixed": "仅按需，因为该工作不能中断",
    "advice.memory_assumed": (
        "一个副本需要 {memory} GiB 显存（{basis}：{what}）；用 --model-memory 更改"
    ),
    "advice.rate_and_users": "--qps 与 --concurrency 都表示请求量：只能给出其中一个",
    "advice.not_generative": "{model} 不生成文本：{workload} 用于语言模型推理",
    "advice.not_a_language_model": "{flag} 只适用于语言模型；{workload} 不涉及语言模型",
    "advice.no_method": "--method 用于微调（--workload llm-finetune），不用于 {workload}",
    "advice.no_such_method": "--method {method}：速度未知；已知的有 {known}",
    "advice.llm_model": ("{title}，{precision}：权重 {weights} GiB，每 token 的 KV 缓存 {cache} B"),
    "advice.llm_lengths": "每个请求输入 {tokens_in} token、输出 {tokens_out} token",
    "advice.llm_lengths_assumed": (
        "每个请求输入 {tokens_in} token、输出 {tokens_out} token，未指定的取自负载档案"
        "（--input-tokens、--output-tokens）"
    ),
    "advice.llm_rate": "每秒 {requests} 个请求，即每秒输出 {tokens} token",
    "advice.llm_users": "{users} 个用户，收到回答后立即再次提问",
    "advice.pretrain_model": (
        "{title}：{params} B 参数，{layers} 层，隐藏维度 {hidden}，序列长度 {context}，"
        "{precision}，{sharding}；共 {flops} 次运算"
    ),
    "advice.pretrain_size": (
        "{params} B 参数，按 GPT-3 的比例取 {layers} 层、隐藏维度 {hidden}，序列长度 {context}，"
        "{precision}，{sharding}；共 {flops} 次运算"
    ),
    "advice.pretrain_timed": (
        "时长按运算量和此类训练能达到的峰值算力比例估算，并扣除计算无法掩盖的通信；"
        "所有节点在同一可用区、同时运行"
    ),
    "advice.cure_local": "开始前把样本复制到本地 NVMe（已含在实例价格中）",
    "advice.cure_disk": "提高云盘吞吐，按 AWS gp3 的价格每个实例每月约 {monthly} USD",
    "advice.cure_network": (
        "从并行文件系统或对象存储读取，并用多个读取进程（--storage 可为其计价）"
    ),
    "advice.cure_memory": "把样本放在主机内存中，或换更大的实例",
    "advice.cure_cores": (
        "在 GPU 上解码，或存储解码后的样本（FFCV 中每个 vCPU 快 5.5 倍，但占用更多字节）："
        "除存储外没有额外成本"
    ),
    "advice.no_samples": "{flag} 只适用于按样本计量且速度已知的工作，不适用于 {workload}",
    "advice.sample_size_needed": "--data-on 需要 --sample-kb，即每{unit}的大小",
    "advice.not_a_training": "{flag} 用于从零训练（{known}），不用于 {workload}",
    "advice.tokens_and_samples": "--tokens 与 --samples 只能给出一个",
    "advice.params_and_model": "--params 与 --model 只能给出一个",
    "advice.params_needed": "{workload} 需要 --params 或 --model，才能按运算量估算时长",
    "advice.no_layers": "{model} 的层数未知：请改用 --params",
    "advice.llm_training": (
        "{title}，{method}，微批次 {batch} x {context} token：单卡 {need} GiB，"
        "速度为实测训练的 {share} 倍"
    ),
    "advice.model_memory": ("{title} 需要 {memory} GiB 显存，一次一个；速度仍取自该负载自身的模型"),
    "advice.slices_used": "支付 {held} 个 {partition} 切片，使用 {used} 个：价格按整卡计",
    "advice.api_break_even": (
        "输入/输出每百万 token 为 {price} 的 API，"
        "在每月 {tokens} 百万输出 token 时与 {type} 成本持平"
        "（为其最大产能 {most} 百万的 {share}）；超过该用量后租用更划算"
    ),
    "advice.api_never": (
        "输入/输出每百万 token 为 {price} 的 API 始终比 {type} 便宜：盈亏平衡点在每月 {tokens} 百万"
        "输出 token，而它最多产出 {most} 百万"
    ),
    "advice.fraction_share": ("保证一张 {device} 的 {share}，只有邻居空闲时才能达到 {best}"),
    "advice.unserved": "速度已知的实例都无法满足这一需求，所列实例的速度未知",
    "advice.unsized": "速度未知：按一个实例计价，不论需求需要多少",
    "advice.cpu_enough": (
        "该需求只占用 {type} {share} 的时间：仅用 CPU 或可缩容到零的服务可能就够了 [cpu.enough]"
    ),
    "advice.streams": "{streams} 路实时流即每秒 {streams} {units}",
    "advice.cold_start": (
        "新副本约 {seconds} 秒后才能应答：启动 32 秒，以 0.32 GB/s 加载 {weights} GB 权重"
        "（gp3 单个读取进程），引擎初始化 20 秒；这段时间内的请求须由已预热的副本承担"
    ),
    "advice.stale_price": "价格日期 {date}，已有 {days} 天",
    "advice.unofficial_price": "价格来自{confidence}来源",
    "advice.interruption": "竞价：一个月内中断 {bucket}",
    "advice.paid_used": "支付 {paid} 张，使用 {used} 张",
    "advice.rule_note": "{text}",
    "advice.no_speed": "没有实测速度：{reason}；仅按价格排名",
    "advice.all_stale": "所列价格均已过时，最早的日期为 {date}",
    "advice.best_official": (
        "第 1 名的价格并非云厂商官方价；有官方价的最佳选项是第 {rank} 名：{provider} {type}，"
        "{option}，每月 {monthly} {currency}"
    ),
    "advice.reject_retired": "{count} 种已退役类型，如 {nearest}：无法再启动",
    "advice.reject_not_sold": "{count} 种类型不以这些购买方式出售，如 {nearest}",
    "advice.reject_price_scope": "{count} 种类型的价格只含加速卡本身，如 {nearest}：不可比",
    "advice.reject_device": "{count} 种类型的加速卡与所要求的不同，如 {nearest}",
    "advice.reject_software": "{count} 种类型需要其他软件栈（--software），如 {nearest}",
    "advice.reject_arch": "{count} 种类型的处理器架构不同，如 {nearest}",
    "advice.reject_gpu_memory": "{count} 种类型的单卡显存不足，如 {nearest}",
    "advice.reject_model_memory": "{count} 种类型装不下一个副本，如 {nearest}",
    "advice.reject_vcpus": "{count} 种类型的 vCPU 不足，如 {nearest}",
    "advice.reject_host_memory": "{count} 种类型的主机内存不足，如 {nearest}",
    "advice.reject_link": "{count} 种类型缺少卡间互联，如 {nearest}",
    "advice.reject_tensor_link": (
        "{count} 种类型没有 NVLink，不能跨其各卡切分层，如 {nearest}：{why}"
    ),
    "advice.reject_unsuited": "{count} 种类型完全无法胜任此工作，如 {nearest}",
    "advice.reject_rule": "{count} 种类型因规则 {rule} 排除，如 {nearest}：{why}",
    "advice.reject_no_price": (
        "{count} 种类型在此没有价格，如 {nearest}（--region any 可查找其他区域）"
    ),
    "advice.reject_too_old": "{count} 种类型的价格早于 --max-age，如 {nearest}",
    "advice.storage_beside": "存储与流量另行列出，不参与排名",
    "advice.reject_interrupted": ("{count} 种类型只以竞价出售，运行很难按时完成，如 {nearest}"),
    "advice.spot_may_be_late": "中断较多时要 {high} 小时后才能完成",
    "advice.reject_size": "{count} 种类型无法满足需求，如 {nearest}",
    "advice.reject_latency": "{count} 种类型单个请求的耗时就超过延迟目标，如 {nearest}",
    "advice.reject_budget": "{count} 种类型超出预算，最便宜的是 {nearest}",
    "advice.flip_ratio": "若 {type}（{device}）的性价比达到估算值的 {factor} 倍，它将排第一",
    "advice.flip_tied": (
        "按预期速度，{type}（{device}）完成同样工作的成本是 {first} 的 {factor} 倍，"
        "差距小于速度模型"
        "的分辨能力：请实测两者"
    ),
    "advice.flip_batched": (
        "--batched：按每单位工作量成本，加速卡的顺序将变为 {then}（现为 {now}）"
    ),
    "advice.flip_unbatched": (
        "--no-batched：按每单位工作量成本，加速卡的顺序将变为 {then}（现为 {now}）"
    ),
    "advice.flip_spot": "使用 --purchase on_demand 时按按需价格排序",
    "advice.prepaid_fits": (
        "按月预付时，以下选项也在预算内，单位 {currency}/月：{types}；价格日期 {date}"
        "（--purchase subscription）"
    ),
    "advice.other_software": (
        "CUDA 之外最便宜的是 {type}（{device}），每小时 {price} {currency}；"
        "代码须移植到 {software}，"
        "且其速度在此未知（--software {software}）"
    ),
}
