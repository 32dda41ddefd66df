"""Texts of reading, validating and querying the catalogs."""

from __future__ import annotations

ZH: dict[str, str] = {
    "catalog.invalid": "目录有 {count} 处错误；未采用任何内容",
    "catalog.more_faults": "其余从略；每个文件最多列出前 {limit} 处错误",
    "catalog.unreadable": "无法读取 {file}",
    "catalog.no_files": "{directory} 下没有 .yaml 文件",
    "catalog.no_snapshot": (
        "缺少已编译的目录 {path}：请重新安装 gpuadvisor（pip install --force-reinstall）"
    ),
    "catalog.bad_snapshot": "已编译的目录 {path} 无法读取（{reason}）：请重新安装 gpuadvisor",
    "catalog.bad_base": ("已编译的目录 {path}（GPUADVISOR_BASE）无法读取（{reason}）：请重新编译"),
    "catalog.not_a_directory": "不是文件夹；请给出存放 YAML 文件的文件夹",
    "catalog.os_error": "{reason}",
    "catalog.not_a_file": "不是普通文件",
    "catalog.file_name": "文件名含有无法显示的字符，请改名",
    "catalog.too_many_files": (
        "其下的文件超过 {files} 个或文件夹超过 {folders} 个；请给出存放目录的那个文件夹"
    ),
    "catalog.too_many_nodes": "键和值超过 {limit} 个，请拆分文件",
    "catalog.too_large": "文件有 {size} 字节；最多读取 {limit} 字节",
    "catalog.not_utf8": "第 {byte} 字节处不是 UTF-8；请将文件存为 UTF-8",
    "catalog.yaml_syntax": "YAML 无效：{reason}",
    "catalog.alias_refused": "目录中不允许使用 YAML 锚点和别名（*{name}）",
    "catalog.tag_refused": "目录中不允许使用 YAML 标签 {tag}；请直接写值",
    "catalog.surrogate": "单独半个代理对不是字符",
    "catalog.one_document": "第二个 YAML 文档从这里开始；一个目录文件只能有一个文档",
    "catalog.too_deep": "嵌套超过 {limit} 层",
    "catalog.key_not_text": "键必须是普通文本",
    "catalog.duplicate_key": "`{key}` 重复；首次出现在第 {first_line} 行",
    "catalog.bad_schema_line": "未知的 `schema: {value}`；应为 {expected} 之一",
    "catalog.unknown_key": "未知的键 `{key}`",
    "catalog.missing_key": "缺少 `{key}`",
    "catalog.bad_value": "`{key}: {value}`：{expected}",
    "catalog.nothing_near": "未知的{kind} `{name}`；没有相近的已知名称",
    "catalog.unknown_name": "未知的{kind} `{name}`；最接近的是 {nearest}",
    "catalog.kind_command": "命令",
    "catalog.kind_device": "加速卡",
    "catalog.kind_instance_type": "实例类型",
    "catalog.kind_instance_type_or_device": "实例类型或加速卡",
    "catalog.kind_name": "名称",
    "catalog.kind_partition": "切片",
    "catalog.kind_policy": "策略",
    "catalog.kind_provider": "云厂商",
    "catalog.kind_quota": "配额",
    "catalog.kind_region": "区域",
    "catalog.kind_rule": "规则",
    "catalog.kind_schema": "schema ",
    "catalog.kind_source": "来源",
    "catalog.unknown_version": "{provider} 的价格没有版本 `{version}`；现有 {available}",
    "catalog.bad_version_name": "`{text}`：请写成 云厂商@版本，例如 aws@2025.04",
    "catalog.no_prices": "目录中没有 {provider} 的价格",
    "catalog.other_currency": "一个版本以 {before} 计价，另一个以 {after} 计价：无法比较",
    "catalog.two_providers": "{before} 与 {after} 属于两家云厂商：请比较同一家的两个版本",
    "catalog.memory_differs": (
        "memory_gib 为 {value}，但 {device} 有 {memory} GiB（请填单张加速卡的显存）"
    ),
    "catalog.memory_above": "memory_gib {value} 超过了 {device} 的 {memory} GiB",
    "catalog.single_interconnect": "{type} 只有一张加速卡：interconnect 必须是 `none`",
    "catalog.many_interconnect": "{type} 有多张加速卡：请说明它们如何互联",
    "catalog.bad_cell_key": (
        "`{key}` 不是购买方式；请写成 方式[/期限[/类别[/付款方式]]]，"
        "例如 reserved/1y/standard/no_upfront"
    ),
    "catalog.low_above_typical": "竞价的 low {low} 高于 typical {typical}",
    "catalog.too_fine": "{value} 的小数超过 9 位",
    "catalog.above_on_demand": "{option} {value} 高于按需价格 {on_demand}",
    "catalog.alias_twice": "{name} 的别名 `{alias}` 已指向 {owner}",
    "catalog.defined_twice": "`{name}` 已在 {first} 中定义",
}
