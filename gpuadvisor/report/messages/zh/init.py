"""Chinese texts of `init`."""

from __future__ import annotations

ZH: dict[str, str] = {
    "init.head": (
        "本目录及其下级目录中 gpuadvisor 的默认设置。命令行参数优先于此处的设置。以 `#` 开头的行"
        "是示例，删去 `#` 即生效。`gpuadvisor doctor` 会显示当前使用的是哪个文件。"
    ),
    "init.provider": "recommend 和 compare 查询的云厂商；默认为全部大型云与专业 GPU 云。",
    "init.region": "区域或大区（us、eu、asia 等）；默认为各厂商的参考区域。",
    "init.tier": (
        "云厂商类别：hyperscaler（大型云）、specialist（专业 GPU 云）、marketplace（算力市场）。"
    ),
    "init.currency": "答案所用的货币，也是未注明货币的金额的货币。",
    "init.fx": "自定义汇率（每 1 USD 折合的数额）；默认采用欧洲央行的最新汇率。",
    "init.discount": "各厂商目录价上的折扣；折后价会标明为您的价格。",
    "init.hours_per_month": "机器每月运行的小时数。",
    "init.lang": "答案的语言：en 或 zh。",
    "init.catalog": (
        "叠加在目录之上的 YAML 文件夹：私有价格、自有节点、负载、规则。路径相对于本文件。"
    ),
    "init.catalog_version": "固定使用某一日期版本的价格，使答案在您更换版本之前保持不变。",
    "init.check": "`gpuadvisor check` 用来检查变更的上限；金额按月计，未注明货币时使用上面的货币。",
    "init.check_max_increase": "一次变更最多可增加的费用。",
    "init.check_max_increase_pct": "……相对于变更前费用的百分比。",
    "init.check_max_total": "变更后的总费用上限。",
    "init.check_max_hourly_per_resource": "单个资源每小时费用的上限。",
    "init.check_max_devices": "变更后加速卡总数的上限。",
    "init.check_types": "允许或禁止的实例类型（`devices`、`options` 同理），可用通配符。",
    "init.check_regions": "允许或禁止的区域，写法相同。",
    "init.check_require_spot_for": "必须使用竞价实例的资源地址。",
    "init.check_on_unknown": "无法定价的资源如何处理：fail、warn 或 ignore。",
    "init.check_max_catalog_age": "价格超过多少天即视为过旧，不能据以判断。",
    "init.check_rules": "单条规则的级别：fail、warn 或 ignore。",
    "init.check_ignore": "例外，须写明理由与截止日期。",
    "init.check_note": "检查未通过时附加的一行说明。",
    "init.exists": "{path} 已存在；用 --force 替换，或用 --output 写到别处",
    "init.pair": "--discount {value}：应写作 厂商=折扣，例如 aws=12%",
    "init.done": "已写入 {path}。接下来：编辑该文件，然后运行 gpuadvisor doctor",
}
