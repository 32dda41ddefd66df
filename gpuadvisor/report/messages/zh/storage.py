"""Texts of storage and egress."""

from __future__ import annotations

ZH: dict[str, str] = {
    "storage.word": (
        "--storage '{part}'：请写成 名称=容量，名称为 {words} 之一且各出现一次，"
        "例如 hot=2TB,cold=18TB"
    ),
    "storage.size": "--storage '{part}'：请写大于 0 的容量，例如 200GB、2TB 或 1TiB",
    "storage.unknown": "价格未知",
    "storage.warmer": "此处没有 {tier} 层的价格：改按更热一层计",
    "storage.no_size": "目录中没有足够大的磁盘：价格未知",
    "storage.no_retrieval": "取回费用未知",
    "storage.none_cold": "没有比热存储更冷的数据",
}
