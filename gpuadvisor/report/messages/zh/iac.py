"""Texts of the iac room: what was read from infrastructure files, assumed, or not understood."""

from __future__ import annotations

ZH: dict[str, str] = {
    # What was assumed, or could not be read, about one resource.
    "iac.value_unknown": "{field} 在变更应用后才能得知",
    "iac.value_sensitive": "{field} 被标记为机密，因此没有读取",
    "iac.value_placeholder": "{field} 是尚未渲染的占位符",
    "iac.parameter_unset": "{field} 是没有值的参数；请用 --parameters 给出",
    "iac.condition_unknown": "它是否存在取决于一个在此无法判断的条件",
    "iac.count_unreadable": "{field} 不是整数",
    "iac.region_unknown": "文件没有写明区域；请用 --region 给出",
    "iac.region_listed_as": "{region} 的价格列在 {listed} 之下",
    "iac.requirement_not_read": "没有读取要求 {key}；区间可能过宽",
    "iac.overlay": "节点叠加层改变了加速卡的计数方式：上限可能以切片而非整卡计",
    "iac.terms_open": "可能以其中任一方式租用：{terms}",
    "iac.any_of": "选用其中任一，优先最便宜的：{names}",
    "iac.ordered": "选用其中第一个可获得的：{names}",
    "iac.any_cloud": "可选任一云厂商",
    "iac.clouds": "可选以下云厂商之一：{names}",
    "iac.device_unreadable": "{field} 没有以已知形式写明加速卡：{value}",
    "iac.any_device": "没有指定加速卡：可选任何合适的",
    "iac.one_after_another": "流水线的各任务依次运行",
    "iac.hcl_repeated": "其 count 或 for_each 不是字面值，因此数量未知",
    "iac.hcl_defaults": "采用的默认值：{names}",
    "iac.hcl_module": "没有 plan 时不展开模块调用，但其参数中写有 {types}",
    "iac.count_elsewhere": "运行数量在另一个资源中设置",
    "iac.zones_assumed": "文件没有写明可用区；假设该区域有 {zones} 个",
    "iac.not_in_catalog": "{type} 看起来是加速卡类型，但目录中没有",
    "iac.some_candidates_plain": "该组也可能分到没有加速卡的类型：{types}",
    "iac.first_of": "采用所列类型中的第一个：{types}",
    "iac.several_templates": "模板是 {count} 个中的一个；plan 没有说明是哪一个",
    "iac.template_unresolved": "其类型来自文件中没有的模板（{field}）",
    "iac.impossible_pairing": "{device} 无法挂载到 {machine}",
    "iac.covered_by_reservation": "运行在 {address} 中，费用已计入该预留",
    "iac.reservation_elsewhere": "指向本文件之外的预留，费用可能计入该预留",
    "iac.reservation_billed": "预留在持有期间计费，用与不用都计费",
    "iac.capacity_block_prepaid": "容量块一次性预付，而非按月付费",
    "iac.commitment_itself": "承诺不论有无运行都计费",
    "iac.dedicated_host": "专用主机整机计费，不论其上运行什么",
    "iac.dedicated_tenancy": "运行在专用硬件上，费用高于所示价格",
    "iac.warm_pool": "预热池另有实例；已停止的只收磁盘费用",
    "iac.upper_bound": "仅为上限：Pod 提出需求前不会租用",
    "iac.single_zone": "没有可用区冗余，价格更低",
    "iac.runs_then_ends": "工作会结束：应看每小时数值，按月会误导",
    "iac.one_per_node": "每个节点一个 Pod：节点数不在文件中",
    "iac.shared_device": "要求的是一张卡的一部分；多少个共用一张不在文件中",
    "iac.claim_elsewhere": "资源声明 {name} 不在文件中，因此其加速卡未知",
    "iac.claim_shared": "资源声明 {name} 只创建一次，由所有使用者共享",
    "iac.claim_all": "声明了节点的全部加速卡；数量不在文件中",
    "iac.claim_first": "按 {count} 个备选中的第一个计",
    "iac.claim_slice": "声明了切片，但无法读出其规格",
    "iac.definition_only": "定义本身不运行任何东西",
    "iac.scheduled": "有定时计划改变数量",
    "iac.no_accelerator_before": "此前没有加速卡",
    "iac.no_accelerator_after": "此后不再有加速卡",
    "iac.forgotten": "Terraform 不再管理它，但它仍存在并继续计费",
    "iac.moved": "由 {address} 移动而来",
    "iac.imported": "此前已存在，只是导入",
    "iac.deferred": "Terraform 推迟了该变更：数量尚未知",
    "iac.unmapped_resource": "字段映射中没有 {kind}；数量和购买方式未知",
    "iac.unknown_kind": "{kind} 是未知种类，在 '{field}' 中要求加速卡",
    "iac.opaque_body": "没有读取其内容，但其中写有加速卡类型",
    "iac.manifest_unreadable": "无法读取 {field} 中的 YAML",
    # Notes on a whole file.
    "iac.hcl_literals": (
        "在没有 plan 的情况下读取：只有同一文件中的字面值和默认值有效；"
        "其余请检查 `terraform show -json`"
    ),
    "iac.compose_devices": "使用所在主机的 {count} 张加速卡，该主机在此没有价格",
    "iac.own_machines": "运行在您自己的机器上，在此没有价格",
    "iac.template_alone": "模板本身不产生费用（{type}）",
    "iac.not_read": "不读取 {kind}；请检查 `helm template` 的输出以了解它运行什么",
    "iac.plan_errored": "plan 以错误结束，可能不完整",
    "iac.plan_incomplete": "plan 不完整；请应用后再次 plan 以查看其余部分",
    "iac.plan_without_configuration": "plan 没有 configuration 部分，因此无法追踪区域和引用",
    # Input that cannot be read; each says what to do next.
    "iac.unreadable": "无法读取 {file}",
    "iac.cannot_open": "{file}：{reason}",
    "iac.is_directory": "{file} 是目录",
    "iac.empty": "{file} 为空；前一条命令是否失败了？",
    "iac.too_large": "{file} 大于 {limit_mib} MiB；如确需读取，请调高 --max-bytes",
    "iac.gzip_truncated": "{file} 是被截断的 gzip 文件",
    "iac.gzip_broken": "{file} 不是有效的 gzip 文件：{reason}",
    "iac.binary": "{file} 是二进制文件；应为 JSON plan 或 YAML 文件",
    "iac.binary_plan": (
        "{file} 是二进制 plan（或 zip 文件）；请运行 `terraform show -json {file} > plan.json`，"
        "再检查 plan.json"
    ),
    "iac.not_utf8": "第 {byte} 字节处不是 UTF-8；请转换，例如用 `iconv -f latin1 -t utf-8`",
    "iac.json_truncated": ("JSON 过早结束（{reason}）；输出是否被截断？可使用 `set -o pipefail`"),
    "iac.json_syntax": "JSON 无效：{reason}",
    "iac.json_value": "JSON 无效：{reason} 不是数字",
    "iac.json_unrendered": "模板占位符使 JSON 无效；请先渲染",
    "iac.json_tail": "{file} 在 JSON 值结束之后还有内容",
    "iac.too_deep": "嵌套超过 {limit} 层",
    "iac.too_deep_json": "{file} 嵌套过深",
    "iac.yaml_too_large": "{file} 大于 {limit_mib} MiB，作为 YAML 过大；请拆分",
    "iac.yaml_syntax": "YAML 无效：{reason}",
    "iac.yaml_unrendered": (
        "模板占位符使 YAML 无效（{reason}）；请先渲染，例如 `helm template . | gpuadvisor check -`"
    ),
    "iac.yaml_bomb": "别名展开后超过 {limit} 个值",
    "iac.yaml_key": "列表或映射不能作为键",
    "iac.unknown_alias": "别名 '{name}' 之前没有对应的锚点",
    "iac.duplicate_key": "键 '{key}' 在同一映射中出现两次",
    "iac.source_folder": "--source {folder}：请给出根模块源码所在的文件夹",
    "iac.hcl_syntax": "Terraform 源码无效：{reason}",
    "iac.hcl_too_large": ("{file} 大于 {limit_kib} KiB，没有 plan 时过大；请以 JSON 形式检查 plan"),
    "iac.hcl_missing": (
        "{file} 是 Terraform 源码，需要 `pip install 'gpuadvisor[hcl]'`；"
        "JSON 形式的 plan 无需安装且信息更全"
    ),
    "iac.plan_version": (
        "{file} 的 plan 格式为 {version}；已知格式为 0.1 至 1.x。更新版本的 gpuadvisor 或许能读取"
    ),
    "iac.plan_json_lines": (
        "{file} 是 `plan -json` 的日志而不是 plan；请运行 `terraform plan -out=tfplan` 和"
        " `terraform show -json tfplan > plan.json`，再检查 plan.json"
    ),
    "iac.plan_as_text": (
        "{file} 是文本形式的 plan；请运行 `terraform show -json tfplan > plan.json`，"
        "再检查 plan.json"
    ),
    "iac.plan_without_changes": (
        "{file} 看起来是 plan，但其中没有变更；请运行 `terraform show -json tfplan`"
    ),
    "iac.state_file": (
        "{file} 是 state 而不是 plan；请运行 `terraform plan -out=tfplan` 和"
        " `terraform show -json tfplan > plan.json`，再检查 plan.json"
    ),
    "iac.pulumi_program": (
        "{file} 是 Pulumi 程序的项目文件；请运行 `pulumi preview --json > preview.json`，"
        "再检查 preview.json"
    ),
    "iac.program": (
        "{file} 是程序源码，不会运行；请检查它的产物："
        "`pulumi preview --json > preview.json` 或 `cdk synth > template.yaml`"
    ),
    "iac.parameters_only": "{file} 是模板参数；请检查模板，并用 --parameters 指定此文件",
    "iac.helm_values": (
        "{file} 看起来是 Helm values 而不是清单；请运行"
        " `helm template . -f {file} | gpuadvisor check -`"
    ),
    "iac.unrecognised": (
        "{file} 不属于任何已知格式（Terraform plan JSON 或源码、Pulumi preview、"
        "CloudFormation 模板、"
        "Kubernetes 清单、eksctl、SkyPilot、dstack、Ray 集群、Compose）；可用 --kind 指定"
    ),
    "iac.ambiguous": "{file} 可能是 {kinds} 中的任一种；请用 --kind 指定",
    "iac.wrong_kind": "{file} 不是 {kind} 类型",
    "iac.unknown_format": "未知的种类 '{kind}'；可用的有 {known}",
}
