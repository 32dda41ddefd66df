"""Texts of `check`: costs of an infrastructure change, the policy, and what was assumed."""

from __future__ import annotations

ZH: dict[str, str] = {
    # Reasons of one row.
    "check.some_unpriced": "{types} 没有价格，因此不在区间内",
    "check.first_candidate": (
        "{count} 种类型都可能运行；数值取列在首位的 {type}，区间由其余类型给出"
    ),
    "check.cheapest_candidate": (
        "{count} 种类型都可能运行；数值取最便宜的 {type}，区间由其余类型给出"
    ),
    "check.unbounded": "数量没有上限",
    "check.count_unknown": "数量未知；每个 {price}",
    "check.no_pair": "目录中没有 {device} 搭配 {machine} 的价格",
    "check.type_unknown": "目录中没有 {type}",
    "check.no_machine": "没有写明目录中有价格的机器",
    "check.per_chip": "与 {type} 一样按芯片计价",
    "check.no_price": "{type} 没有已知价格",
    "check.retired": "{type} 已退役：无法启动新的实例",
    "check.not_sold": "{type} 不出售",
    "check.option_not_sold": "{type} 不以{option}出售",
    "check.not_in_region": "未见 {type} 在 {region} 提供；已知提供的区域：{known}",
    "check.purchase_unknown": "无法读出购买方式；按按需计价",
    "check.prepaid": "容量块须预付，用与不用都计费",
    "check.spot_price": "竞价价格会波动；区间上限为按需价格",
    "check.no_option_price": "没有已知的{option}价格；以按需价格为上限",
    "check.mixed": (
        "计划 {on_demand} 个按需、{spot} 个竞价，最多 {max_on_demand} 个和 {max_spot} 个"
    ),
    "check.any_region": "区域未知：每个 {low} 至 {high}，共 {regions} 个区域（{type}）",
    "check.own_list": "{service} 有自己的价目表，目录中没有收录",
    "check.own_list_floor": (
        "{service} 有自己的价目表，目录中没有收录；仅机器（{type}）就需 {price}"
    ),
    "check.on_supply": "运行在本次检查中的节点上，费用计入这些节点",
    "check.on_nodes": "{pods} 个 Pod 需要 {nodes} x {type}，每个节点可容纳 {per_node} 个",
    "check.on_pool": "运行在按 Pod 需求扩容的节点池上；最大值取该池自身的上限",
    "check.does_not_fit": "一个 Pod 要求 {devices} 张加速卡，而 {type} 有 {held} 张",
    "check.device_hours": "{devices} 张加速卡，每月 {hours} 卡时",
    "check.fitting_range": (
        "在适合的 {types} 种类型上，每张卡 {low} 至 {high}：{low_month} 至 {high_month}"
    ),
    "check.name_nodes": ("没有指定节点；请在策略文件中用 check.nodes 或用 --assume-node 说明"),
    # The policy.
    "check.increase_within": "增加 {value}，未超过上限 {limit}",
    "check.increase_over": "增加 {value}，超过上限 {limit}",
    "check.increase_max_over": "按最大数量增加 {value}，超过上限 {limit}",
    "check.decrease_within": "减少 {value}，未超过上限 {limit}",
    "check.decrease_over": "减少 {value}，超过上限 {limit}",
    "check.decrease_max_over": "减少 {value}，超过上限 {limit}",
    "check.total_within": "总额 {value}，未超过预算 {limit}",
    "check.total_over": "总额超出预算 {limit}：{value}",
    "check.total_max_over": "按最大数量总额为 {value}，超出预算 {limit}",
    "check.total_already": "总额在本次变更前已超出预算 {limit}（{value}），因此不据此拦截",
    "check.pct_within": "增加 {value} %（原为 {before}），未超过上限 {limit} %",
    "check.pct_over": "增加 {value} %（原为 {before}），超过上限 {limit} %",
    "check.pct_max_over": ("按最大数量增加 {value} %（原为 {before}），超过上限 {limit} %"),
    "check.pct_new": (
        "此前没有费用，因此 {value} 均为新增、无法计算百分比；可用 --max-increase 限制"
    ),
    "check.pct_nothing": "此前没有费用，之后也没有",
    "check.hourly_within": "没有资源超过 {limit}",
    "check.hourly_over": "费用 {value}，超过单个资源的上限 {limit}",
    "check.hourly_max_over": "最大数量时可达 {value}，超过单个资源的上限 {limit}",
    "check.devices_within": "{value} 张加速卡，未超过上限 {limit}",
    "check.devices_over": "{value} 张加速卡，超过上限 {limit}",
    "check.devices_max_over": "按最大数量为 {value} 张加速卡，超过上限 {limit}",
    "check.devices_already": ("本次变更前已有 {value} 张加速卡，超过上限 {limit}，因此不据此拦截"),
    "check.denied_ga007": "不允许使用类型 {name}",
    "check.denied_ga008": "不允许使用加速卡 {name}",
    "check.denied_ga009": "不允许使用区域 {name}",
    "check.denied_ga010": "不允许使用购买方式 {name}",
    "check.within_ga007": "变更涉及的类型均被允许",
    "check.within_ga008": "变更涉及的加速卡均被允许",
    "check.within_ga009": "变更涉及的区域均被允许",
    "check.within_ga010": "变更涉及的购买方式均被允许",
    "check.within_ga011": "应为竞价的均为竞价",
    "check.spot_required": "应为竞价，实为{option}",
    "check.could_not_price": ("{unpriced} 个没有价格，{unknown} 个无法从文件得知；均未计入总额"),
    "check.catalog_old": "以下价格超过 {limit} 天：{catalogs}",
    "check.catalog_fresh": "没有超过 {limit} 天的价格",
    "check.policy_changed": "{file} 与 {ref} 中的不同；采用了 {ref} 的策略",
    "check.policy_removed": "{file} 被本次变更删除；采用了 {ref} 的策略",
    "check.policy_added": "{file} 由本次变更新增，{ref} 中没有；未采用任何策略",
    "check.ignore_expired": "{address} 的例外已于 {until} 到期，不再适用",
    # What holds for the whole report.
    "check.assume_hours": "每月 {hours} 小时",
    "check.assume_list": "目录价，不含议价折扣、税费、存储和流量",
    "check.assume_discounts": "您相对目录价的折扣：{discounts}",
    "check.assume_spot": "竞价按典型价格计，云厂商随时可能调整",
    "check.assume_planned": "计划数量是文件当前要求的数量；自动伸缩可能改变它",
    "check.assume_region": "文件未写明区域时取 {region}",
    "check.left_out": "{count} 个文件不属于任何已知格式，已略过：{files}",
    "check.no_baseline": (
        "没有基线：不含变更前状态的文件，其内容都视为新增；可用 --base 给出之前的状态"
    ),
    "check.base_unused": "--base 未使用：plan 自带变更前的状态",
    "check.stale_warn": "{provider} 的{option}价格已有 {days} 天（{as_of}）",
    "check.stale_widen": "{provider} 的{option}价格已有 {days} 天（{as_of}），因此区间放宽",
    # Suggestions and their catch.
    "check.use_spot": "以竞价租用 {type}",
    "check.catch_spot": "可能在短时间通知后被回收",
    "check.catch_spot_rate": "可能在短时间通知后被回收；一个月内有 {rate} 被回收",
    "check.use_type": "{type} 使用同样的 {device}",
    "check.catch_type": (
        "它有 {vcpus} vCPU 和 {memory} GiB 内存，现为 {old_vcpus} 和 {old_memory}"
    ),
    "check.use_region": "在 {region} 租用 {type}",
    "check.catch_region": "数据和用户距 {region} 更远，且流量要计费",
    # Layout of the reports.
    "check.headline": (
        "GPU 成本：计划 {delta} … 每月最多 {delta_max} · {changed} 处变更{missing}{asof}"
    ),
    "check.headline_unknown_cost": "GPU 成本：无法确定 · {changed} 处变更{missing}",
    "check.headline_nothing": "GPU 成本：{examined} 个资源中没有加速卡",
    "check.ending": " · 作业运行期间 {price}",
    "check.headline_unpriced": " · {unpriced} 个无价格",
    "check.headline_unknown": " · {unknown} 个未知",
    "check.headline_unbounded": " · {unbounded} 个没有上限",
    "check.headline_as_of": " · 价格截至 {date}",
    "check.level": "每月总额：变更前 {before}，变更后 {after}，最多 {maximum}{range}",
    "check.level_range": "（价格区间 {low} 至 {high}）",
    "check.named": "{name}：{text}",
    "check.per_hour": "{money}/小时",
    "check.on_demand_price": "按需 {price}",
    "check.most": "最多 {amount}",
    "check.tail": "{read}。{catalogs}",
    "check.columns": "变更|资源|加速卡|数量|方式|区域|变更前|变更后|变化/月|最多/月",
    "check.unchanged": "=   {count} 个资源不变：每月 {total}",
    "check.unknown_word": "未知",
    "check.unpriced_word": "无价格",
    "check.covered_word": "已计入上文",
    "check.while_running": "运行期间 {price}",
    "check.pods": "Pod",
    "check.open_word": "不限",
    "check.title_missing": "无法计价",
    "check.title_why": "原因与假设",
    "check.title_suggestions": "更便宜的做法",
    "check.title_policy": "策略",
    "check.title_notes": "说明",
    "check.title_projects": "项目",
    "check.other_project": "（其他文件）",
    "check.project_line": "{name}：每月 {delta}（{before} 至 {after}），最多 {delta_max}",
    "check.suggestion": "{address}：{change}，每月节省 {saving}；但{catch}",
    "check.policy_none": "没有设置限制；可用 --max-increase 或在 .gpuadvisor.yaml 中设置",
    "check.verdict_passed": "通过",
    "check.verdict_warn": "警告",
    "check.verdict_fail": "未通过",
    "check.result_line": "结果：{result}",
    "check.result_passed": "通过",
    "check.result_failed": "策略未通过（退出码 1）",
    "check.result_incomplete": "不完整（退出码 4）：部分成本无法确定",
    "check.result_zero": "通过，因为使用了 --exit-zero",
    "check.more_rows": "… 另有 {count} 行，见完整报告",
    "check.more_annotations": "另有 {count} 条；见摘要",
    "check.examined": "读取 {examined} 个资源，其中 {skipped} 个没有加速卡",
    "check.catalogs": "价格：{catalogs}",
    "check.override": "如需更改限制，请编辑策略：{origin}",
    # Comments on pull requests.
    "check.comment_created": "已在 {repo} {number} 发表评论",
    "check.comment_updated": "已更新 {repo} {number} 的评论",
    "check.comment_silent": "加速卡没有变更：不发表评论",
    "check.comment_newer": "更新的一次运行已在 {repo} {number} 发表评论",
    "check.comment_forbidden": (
        "该令牌无权在 {repo} 发表评论（HTTP {status}；来自 fork 的请求无权，没有"
        " `pull-requests: write` 的 GitHub 作业和 GitLab 的作业令牌也无权）：报告改见作业摘要或日志"
    ),
    "check.comment_failed": ("在 {repo} {number} 发表评论失败（{reason}）：报告改见作业摘要或日志"),
    "check.comment_no_change": "此版本的变更不再涉及加速卡。",
    "check.comment_small": "此版本的变更低于本评论的阈值。",
    "check.comment_threshold": "--threshold {value}：应为每月金额，例如 100",
    "check.comment_footer": "变更更新时，本评论会随之更新。",
    "check.comment_no_repo": "请用 --repo {expected} 指定仓库（{variable} 未设置）",
    "check.comment_no_number": "请用 --pull-request 或 --merge-request NUMBER 指定请求",
    "check.comment_no_token": "请把 {variable} 设为有权发表评论的令牌",
    "check.comment_host": "--host {value}：可用的有 github 和 gitlab",
    "check.comment_key": "--key {value}：只能用字母、数字、'-'、'_' 和 '.'，最多 60 个字符",
    "check.comment_api": "{variable} {value}：应为 https 地址",
    "check.comment_report": (
        "{file} 不是 check 的报告；请用 `gpuadvisor check … --output json={file}` 生成"
    ),
    # Bad arguments.
    "check.unknown_field": "check 没有字段 '{field}'",
    "check.no_files": "请给出要检查的文件，或用 - 表示标准输入",
    "check.many_files": "文件超过 {most} 个；请指定更小的文件夹",
    "check.empty_folder": "{folder} 中没有 JSON 或 YAML 文件",
    "check.stdin_twice": "标准输入（-）只能读取一次",
    "check.hours": "--hours-per-month {value}：一个月最多 744 小时",
    "check.policy_invalid": "策略 {file} 无效",
    "check.git_name": (
        "--config {value}：请写 git:REF:PATH，例如 git:origin/main:.gpuadvisor.yaml"
    ),
    "check.git_ref": "git 在此找不到 {ref}；请先获取，例如 `git fetch --depth=1 origin main`",
    "check.git_file": "{file} 不是 git 能显示的文件，或过大",
    "check.git_missing": "--config git:… 需要 PATH 中有 git",
    "check.output": (
        "--output {value}：写 FILE.html（或 .xlsx、.json、.md）输出结果本身，或写 FORMAT=FILE"
        " 另存一份，例如 markdown=report.md；可用格式：{known}"
    ),
    "check.output_twice": "--output {value}：结果只能写入一个文件；其他文件请写 FORMAT=FILE",
}
