"""Texts of `--explain`."""

from __future__ import annotations

ZH: dict[str, str] = {
    "explain.price": "价格：{price} {currency}/小时，{source}，{date}{confirmed}",
    "explain.confirmed": "，{date} 时未变",
    "explain.mfu": (
        "速度：在 {device} 上训练达到其峰值算力的 {expected}（{low} 至 {high}），{source}；"
        "整次运行不中断、实例逐渐增多时："
    ),
    "explain.scaling": (
        "{nodes} 个实例 = {devices} 张 GPU{split}，效率 {share}：{hours} 小时，{cost} {currency}"
    ),
    "explain.scaling_stops": (
        "{nodes} 个实例 = {devices} 张 GPU{split}，效率 {share}：{hours} 小时，{cost} {currency}；"
        "继续增加节点已不划算"
    ),
    "explain.speed": (
        "速度：{device} 是 {reference} 的 {ratio} 倍（{span}），{basis}，{source}；"
        "{reference} 自身的速率：{reference_source}"
    ),
    "explain.clause": "{clause}：{state}{gap}",
    "explain.gap": "，相差 {gap}",
    "explain.source": "{key}：{title}. {address}，{date}（{confidence}）",
    "explain.rule": "规则 {rule}：{clauses}。{why}",
}
