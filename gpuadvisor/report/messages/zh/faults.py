"""Chinese of what a strict reading of the catalogs expected: patterns of the schema's own words.

The schemas (and pydantic, which they are built with) say what is wrong in English; a text that
matches no pattern stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

EXPECTED: Mapping[str, str] = {
    # pydantic
    r"Input should be a valid (?:number|decimal)(?:, unable to parse .+)?": "应为数字",
    r"Decimal input should be an integer, float, string or Decimal object": "应为数字",
    r"Input should be a valid integer(?:, unable to parse .+)?": "应为整数",
    r"Input should be a valid boolean(?:, unable to interpret input)?": "应为 true 或 false",
    r"Input should be a valid string": "应为文本",
    r"Input should be a valid (?:list|tuple|array)": "应为列表",
    r"Input should be a valid (?:dictionary|mapping)(?: or instance of \w+)?": "应为映射",
    r"Input should be an object": "应为映射",
    r"Input should be greater than (\S+)": "应大于 {0}",
    r"Input should be greater than or equal to (\S+)": "应不小于 {0}",
    r"Input should be less than (\S+)": "应小于 {0}",
    r"Input should be less than or equal to (\S+)": "应不大于 {0}",
    r"Input should be a finite number": "应为有限的数",
    r"Invalid isoformat string: .+": "应为日期，例如 2026-11-30",
    r"Input should be (.+)": "应为 {0}",
    r"String should match pattern '(.+)'": "应符合 {0}",
    r"String should have at least (\d+) characters?": "至少 {0} 个字符",
    r"String should have at most (\d+) characters?": "至多 {0} 个字符",
    r"(?:List|Tuple|Dictionary) should have at least (\d+) items? after validation, not \d+": (
        "至少 {0} 项"
    ),
    r"(?:List|Tuple|Dictionary) should have at most (\d+) items? after validation, not \d+": (
        "至多 {0} 项"
    ),
    # rules
    r"a known fact; nearest: (.+)": "应为已知的事实；最接近的是 {0}",
    r"placeholders that are facts; (.+) is none; nearest: (.+)": (
        "占位符应为事实；{0} 不是；最接近的是 {1}"
    ),
    r"for (\S+) \((.+)\) one of (.+)": "{0}（{1}）可用 {2}",
    r"for (\S+) a text": "{0} 应为文本",
    r"for (\S+) a number": "{0} 应为数字",
    r"for (\S+) a list that is not empty": "{0} 应为非空列表",
    r"for (\S+) (?:one of )?(.+)": "{0} 应为 {1}",
    r"a list that is not empty": "应为非空列表",
    r"a fact of the kind of (\S+) \((.+)\)": "应为与 {0} 同类（{1}）的事实",
    r"`v` instead: (\S+) compares with a constant": "应改用 `v`：{0} 与常量比较",
    r"exactly one of a comparison (.+), all, any and not": (
        "应为一个比较 {0}、all、any、not 之一，且只能有一个"
    ),
    r"at least one condition inside all or any": "all 或 any 中至少要有一个条件",
    r"a comparison with both f and op": "比较须同时有 f 和 op",
    r"either v or fact beside f and op, and neither elsewhere": (
        "f 和 op 旁须有 v 或 fact 之一，其他地方都不能有"
    ),
    r"exists with true or false": "exists 应为 true 或 false",
    r"a condition on type\.\* facts; what depends on the need belongs in `when`": (
        "应为关于 type.* 事实的条件；取决于需求的写在 `when` 中"
    ),
    r"true, or a condition on type\.\* facts": "应为 true，或关于 type.* 事实的条件",
    r"at least one of require, exclude, prefer, warn and label": (
        "require、exclude、prefer、warn 和 label 至少要有一个"
    ),
    r"need\.\* facts alone in a rule with a group, not (\S+)": (
        "有 group 的规则只能用 need.* 事实，不能用 {0}"
    ),
    # prices and shapes
    r"at most option/term/class/payment": "最多为 option/term/class/payment",
    r"spot takes \{low, typical, \.\.\.\}; others \[price, source\]": (
        "竞价写作 {{low, typical, ...}}；其他写作 [price, source]"
    ),
    r"a fraction between 0 and 1, such as 1/4": "应为 0 与 1 之间的分数，例如 1/4",
    r"give either `devices` or `fraction`, not both or neither": (
        "`devices` 与 `fraction` 必须且只能给出一个"
    ),
    r"a retired type is not sold: `sold` must be \[\]": "已退役的类型不出售：`sold` 须为 []",
    # billing, storage, ownership
    r"day_steps end at rising numbers of days": "day_steps 的天数须递增",
    r"tiers end at rising shares of the month, the last at 1": (
        "tiers 的月份比例须递增，最后一个为 1"
    ),
    r"give price or sizes": "应给出 price 或 sizes",
    r"sizes and tiers rise": "sizes 和 tiers 须递增",
    r"a later tier costs less than an earlier one": "后一档须比前一档便宜",
    r"the rate beyond the tiers is not above the last of them": (
        "超出各档后的费率不得高于最后一档"
    ),
    r"an object store has a tier, nothing else has": "只有对象存储有层级",
    r"sizes go with the unit disk_month": "sizes 须与单位 disk_month 一起使用",
    r"(\S+) is given in (.+)": "{0} 的单位为 {1}",
    r"(low <= \w+ <= high)": "须满足 {0}",
    r"purchase and power are of a number of devices, the rest is not": (
        "购置价和功率须注明加速卡数量，其余不注明"
    ),
    # workloads
    r"a class beside the reference, to carry it to other devices": (
        "reference 旁须有 class，才能推算到其他加速卡"
    ),
    r"a default mode that is one of its modes": "default_mode 须为 modes 之一",
    r"a reference that the ratios are taken against": "须有 reference 作为 ratios 的基准",
    r"a run size for run-shaped workloads alone": "只有运行型负载才有运行规模",
    r"either a reference or the reason why there is none": (
        "须有 reference，或说明没有的原因（no_reference）"
    ),
    r"rate 1 where only relative rates are known": "只有相对速率时 rate 应为 1",
    # models, interconnect, field maps
    r"layers, hidden and heads of a transformer": "transformer 须有 layers、hidden 和 heads",
    r"a measured peak, where no formula gives the memory": "没有显存公式时须有实测峰值",
    r"the window of the windowed layers": "须给出窗口层的 window",
    r"at most as many windowed and state layers as layers": (
        "windowed_layers 与 state_layers 之和不得超过层数"
    ),
    r"at most as many experts used as there are": "使用的专家数不得超过总数",
    r"devices must divide evenly over nodes": "加速卡须能均分到各节点",
    r"a path is keys joined by dots, quoted with ' where a key has dots": (
        "路径由点连接的键组成，键中有点时用 ' 括起"
    ),
    r"a reference is written `path -> type\|type`": "引用写作 `path -> type|type`",
    r"a purchase clause has either values or present": ("购买条款须有 values 或 present 之一"),
}


SYSTEM: Mapping[str, str] = {
    "No such file or directory": "没有此文件或目录",
    "Permission denied": "没有权限",
    "Is a directory": "这是目录",
    "Not a directory": "这不是目录",
    "File exists": "文件已存在",
    "File name too long": "文件名过长",
    "No space left on device": "磁盘空间不足",
    "Read-only file system": "文件系统为只读",
    "Too many levels of symbolic links": "符号链接层级过多",
}
"""What the operating system says of a file that cannot be read or written."""


def expected(text: str) -> str:
    """What was expected, in Chinese where a pattern knows it."""
    bare = text.removeprefix("Value error, ")
    for pattern, chinese in EXPECTED.items():
        found = re.fullmatch(pattern, bare, re.DOTALL)
        if found is not None:
            return chinese.format(*(part.replace(" or ", " 或 ") for part in found.groups()))
    return bare
