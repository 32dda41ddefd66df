"""页面文档（HTML、工作簿、Markdown）的文本。"""

from __future__ import annotations

ZH: dict[str, str] = {
    "page.no_extra": "此格式所需的库未安装（{library}）：pip install 'gpuadvisor[{extra}]'",
    "page.range": "{low} 至 {high}",
    "page.comma": "、",
    "page.inputs": "可修改的数值",
    "page.sheet_summary": "摘要",
    "page.sheet_sources": "数据来源",
    "page.column_low": "{name}（低）",
    "page.column_high": "{name}（高）",
    "page.column_notes": "备注",
    "page.warnings": "请注意",
    "page.assumptions": "假设",
    "page.sources": "数据来源",
    "page.catalogs": "价格目录：",
    "page.catalog": "{name} {version}（截至 {as_of}）",
}
