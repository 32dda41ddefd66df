"""Texts of `backtest`."""

from __future__ import annotations

ZH: dict[str, str] = {
    "backtest.bad_file": "{file} 不是实测数据文件",
    "backtest.bad_rows": "{file}：{count} 处错误",
    "backtest.unreadable": "无法读取：{reason}",
    "backtest.no_columns": "缺少列：{names}",
    "backtest.empty_cell": "{column} 为空",
    "backtest.bad_number": "value {value!r}：应为正数",
    "backtest.bad_direction": "higher_is_better {value!r}：应为 0 或 1",
    "backtest.headline": (
        "{n} 个实测值（类别：{classes}）：误差中位数 {median}，九成在 {p90} 以内；"
        "{order} 的配对顺序正确，相差超过 1.25 倍的配对中为 {gap}。"
    ),
    "backtest.no_order": "没有配对",
    "backtest.unknown_devices": "没有规格数据，按与同组一样快计：{names}。",
    "backtest.unknown_classes": "没有实测数据的类别，按其模式预测：{names}。",
    "backtest.column_class": "类别",
    "backtest.column_n": "数量",
    "backtest.column_median": "中位数",
    "backtest.column_p90": "p90",
    "backtest.column_bias": "偏差",
    "backtest.column_order": "顺序",
    "backtest.column_gap": ">1.25x",
    "backtest.column_held": "区间内",
    "backtest.ranker_model": "全部，本模型",
    "backtest.ranker_formula": "全部，带宽^a x FLOPS^b",
    "backtest.ranker_bandwidth": "全部，带宽",
    "backtest.ranker_flops": "全部，FLOPS",
}
