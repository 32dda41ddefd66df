"""Texts of demand curves."""

from __future__ import annotations

ZH: dict[str, str] = {
    "curve.not_text": "不是 UTF-8 编码的 CSV 文件",
    "curve.header": "第一行是 '{found}'；请写 hour,units 或 hour,requests",
    "curve.bad_units": "'{row}'：请写小时和整数个单元，例如 13,10",
    "curve.bad_requests": "'{row}'：请写小时和请求数，例如 13,52000",
    "curve.hour": "此处应为小时 {expected}，却是 '{found}'；小时须连续递增",
    "curve.length": "共 {found} 小时；曲线应为 {lengths} 小时，即一天、一周或一年",
}
