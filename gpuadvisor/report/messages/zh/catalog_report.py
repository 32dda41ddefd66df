"""Texts of `catalog list`, `catalog show` and `catalog validate`."""

from __future__ import annotations

ZH: dict[str, str] = {
    "catalog_report.col_name": "名称",
    "catalog_report.col_kind": "种类",
    "catalog_report.col_version": "版本",
    "catalog_report.col_as_of": "截至",
    "catalog_report.col_types": "类型",
    "catalog_report.col_offers": "报价",
    "catalog_report.col_regions": "区域",
    "catalog_report.sound": "{path}：{files} 个文件，没有错误",
    "catalog_report.snapshot_sound": "{path}：打包时编译，读取正常",
    "catalog_report.type_head": "{provider} {name}：{count} x {device}，每张 {memory} GiB",
    "catalog_report.type_slice": "{provider} {name}：一张 {device} 的 {count}，{memory} GiB",
    "catalog_report.provider": (
        "`{name}` 是云厂商：`gpuadvisor catalog list` 统计其已知内容；show 接受实例类型、"
        "加速卡或切片"
    ),
    "catalog_report.type_fraction": "占一张 {device} 的 {share}；其余供其他租户使用",
    "catalog_report.type_host": "{vcpus}，主机内存 {memory}，{arch}",
    "catalog_report.type_net": ("网络 {network}（RDMA：{rdma}），卡间互联：{link}，本地盘：{disk}"),
    "catalog_report.type_sold": "可购买方式：{sold}（状态 {status}）",
    "catalog_report.nothing": "已无",
    "catalog_report.retired": "已于 {date} 退役：不再推荐",
    "catalog_report.retires": "将于 {date} 退役",
    "catalog_report.shape_source": "规格来自 {title}，{date}",
    "catalog_report.no_price": "没有已知价格",
    "catalog_report.unknown": "未知",
    "catalog_report.price_in": "每小时 {currency}",
    "catalog_report.not_sold_so": "不以此方式出售",
    "catalog_report.device_types": "实例类型：{types}",
    "catalog_report.partition": ("{name}：可用 {memory} GiB，{sm} 的 SM，每卡最多 {most} 个"),
}
