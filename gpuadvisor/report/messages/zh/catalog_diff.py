"""Texts of `catalog diff`."""

from __future__ import annotations

ZH: dict[str, str] = {
    "catalog_diff.headline": (
        "从 {before} 到 {after}，{changed} 个按需价格有变化，{same} 个未变；"
        "新增 {added} 种类型，消失 {removed} 种。"
    ),
    "catalog_diff.dates": "价格分别截至 {before} 和 {after}，单位 {currency}/小时。",
    "catalog_diff.movers": (
        "变化最大的类型与购买方式（{all} 个中的 {shown} 个；+n：另有 n 个区域）："
    ),
    "catalog_diff.by_family": "按系列",
    "catalog_diff.by_region": "按区域，按需",
    "catalog_diff.families": "按系列，{option}：",
    "catalog_diff.regions": "按区域，按需（变化/未变/新增/消失）：{body}",
    "catalog_diff.new": "新增类型：{types}",
    "catalog_diff.gone": "不再有价格的类型：{types}",
    "catalog_diff.incomparable": (
        "{count} 个竞价价格的统计口径不同（单个可用区、区域最低价、均价），未计入区间。"
    ),
    "catalog_diff.and_regions": "{region} +{count}",
    "catalog_diff.rest": "其他 {families} 个系列：{same} 未变，{added} 新增，{removed} 消失",
    "catalog_diff.rest_all": "{families} 个系列：{same} 未变，{added} 新增，{removed} 消失",
    "catalog_diff.unchanged": "未变",
    "catalog_diff.range": "{least} 至 {most}",
    "catalog_diff.col_type": "类型",
    "catalog_diff.col_region": "区域",
    "catalog_diff.col_option": "方式",
    "catalog_diff.col_before": "之前",
    "catalog_diff.col_after": "之后",
    "catalog_diff.col_change": "幅度",
    "catalog_diff.col_family": "系列",
    "catalog_diff.col_changed": "变化",
    "catalog_diff.col_same": "未变",
    "catalog_diff.col_added": "新增",
    "catalog_diff.col_removed": "消失",
}
