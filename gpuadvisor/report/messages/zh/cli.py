"""Texts of the command line itself."""

from __future__ import annotations

ZH: dict[str, str] = {
    "cli.about": (
        "为负载选择云上 GPU 实例：租哪种、以何种购买方式、花多少钱、为什么。"
        "依据注明日期和来源的目录，离线作答。"
    ),
    "cli.usage": "命令 [选项] …",
    "cli.usage_word": "用法：",
    "cli.epilog": "从这里开始：gpuadvisor recommend --workload ocr --budget 5000",
    "cli.group_decide": "选型",
    "cli.group_price": "价格",
    "cli.group_guard": "把关",
    "cli.group_data": "数据",
    "cli.group_options": "选项",
    "cli.summary_recommend": "按预算为负载给实例排名，并说明理由。",
    "cli.summary_estimate": "给出一种实例类型或加速卡在各购买方式下的价格。",
    "cli.summary_compare": "并排比较多种实例类型或加速卡。",
    "cli.summary_check": "找出基础设施变更带来的 GPU 成本。",
    "cli.summary_fit": "说明一个模型装得进哪些加速卡。",
    "cli.summary_reserve": "说明一条需求曲线应承诺多少。",
    "cli.summary_own": "比较自购加速卡与租用。",
    "cli.summary_quote": "向客户出具确定报价，成本与利润另存。",
    "cli.summary_catalog": "列出、查看、校验和比较目录。",
    "cli.summary_rules": "列出、查看和测试建议规则。",
    "cli.summary_backtest": "用实测数据检验速度模型。",
    "cli.summary_init": "为本项目写出带注释的配置文件。",
    "cli.summary_doctor": "说明安装了什么、目录多旧、在用什么。",
    "cli.cannot_write": "结果无法完整写出：{reason}",
    "cli.internal": (
        "内部错误（{kind}：{reason}）。这是程序缺陷，请附上所运行的命令报告；"
        "设置 GPUADVISOR_DEBUG=1 可查看调用栈。"
    ),
    "cli.bad_version": "--catalog-version {value}：请写成 云厂商=版本，例如 aws=2025.04",
    "cli.bad_format": "--format {value}：此命令支持 {allowed}",
    "cli.bad_lang": "{name} {value}：可选语言为 {allowed}",
    "cli.bare_budget": "{amount} 按 USD 计；如指人民币请写 {amount}元",
    "cli.request_mapping": "请求应为字段的映射，例如 `workload: ocr`",
    "cli.config_invalid": "配置文件 {file} 有 {count} 处错误；未执行任何操作",
    "cli.config_mapping": "配置文件应为键的映射，例如 `currency: EUR`",
    "cli.config_key": "未知的键 `{key}`；最接近的是 {nearest}。可用的键：{known}",
    "cli.config_text": "`{key}` 只能取一个值",
    "cli.config_list": "`{key}` 应为一个值或值的列表",
    "cli.config_pairs": "`{key}` 应为名称到值的映射，或 名称=值 的列表",
    "cli.config_section": "`{key}` 是一个配置段，应为键的映射",
    "cli.config_folder": "{folder} 不是文件夹（相对路径以配置文件所在位置为准）",
    "cli.config_long_key": "一个键包含的点超过 {limit} 个",
    "cli.config_toml": "TOML 无效：{reason}",
    "cli.settings_used": "默认值取自 {path}",
    "cli.request_flag_only": "请求文件中不能写 `{flag}`：请使用参数 --{flag}",
}
