"""Texts of serving over a day and of storage beside the machines."""

from __future__ import annotations

ZH: dict[str, str] = {
    "serving.head": (
        "用 {what} 提供服务：{hours} 小时，峰值 {peak} 个单元，平均 {mean} 个（负载率 {load}）"
    ),
    "serving.static": "始终按峰值配置：{peak} 个单元",
    "serving.autoscaled": "自动伸缩，最多 {peak} 个单元",
    "serving.to_zero": "可缩容到零，最多 {peak} 个单元",
    "serving.spot_spread": (
        "按峰值使用竞价：{peak} 个单元分布在 3 个区域，每个单元 {up} % 的时间可用"
    ),
    "serving.saving": "，节省 {percent} %",
    "serving.cold": "{percent} % 的需求遇到正在启动的实例",
    "serving.cold_p99": "第 99 百分位落在冷启动上：若有延迟目标，请保持一个预热实例",
    "serving.unmet": "{percent} % 的需求没有可用单元",
    "serving.assumed": (
        "均预留 {warm} % 余量；伸缩冷却 {cooldown} 分钟，启动 {boot} 分钟，"
        "其间需求最多增长 {headroom} 个单元"
    ),
    "serving.storage_head": "{what} 的存储与流量（{currency}/月）",
    "serving.storage_line": "{word} {size}",
    "serving.word_hot": "热存储",
    "serving.word_cool": "低频存储",
    "serving.word_cold": "冷存储",
    "serving.word_archive": "归档存储",
    "serving.word_disk": "云盘",
    "serving.word_shared": "共享文件系统",
    "serving.word_snapshot": "快照",
    "serving.word_egress": "公网流出流量",
    "serving.word_retrieve": "读取冷数据",
    "serving.storage_total": "存储与流量合计",
    "serving.all_hot": "全部使用热存储：{amount}；分层后（不计读取）节省 {percent} %",
    "serving.whole": "含机器的总账单",
    "serving.unknown": "未知",
}
