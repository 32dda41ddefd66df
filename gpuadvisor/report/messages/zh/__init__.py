"""The Simplified Chinese texts, one module an area as in English. Loaded only when chosen.

Glossary, so that one thing has one word:

| English | 中文 | English | 中文 |
|---|---|---|---|
| on demand | 按需 | break-even | 盈亏平衡点 |
| spot | 竞价 | interruption | 中断 |
| reserved | 预留 | checkpoint | 检查点 |
| savings plan | 节省计划 | throughput | 吞吐 |
| committed use | 承诺使用 | latency | 延迟 |
| subscription | 包年包月 | quota | 配额 |
| capacity block | 容量块 | partition, slice | 切片 |
| commitment | 承诺 | overlay | 叠加目录 |
| discount | 折扣 | catalog | 目录 |
| list price | 目录价 | workload | 负载 |
| instance type | 实例类型 | demand | 需求 |
| instance | 实例 | budget | 预算 |
| device | 加速卡 (计数用“张”) | region | 区域 |
| device memory | 显存 | provider | 云厂商 |
| host memory | 主机内存 | finding | 发现项 |
| node | 节点 | policy | 策略 |
| per unit of work | 每单位工作量 | rule | 规则 |
| exchange rate | 汇率 | stale | 过时 |
| measured / fitted / spec | 实测 / 拟合 / 按规格推算 | finish | 完成 |

Amounts keep their ISO code (`5,000 USD`), but CNY is written `33,264.50 元`. Full-width
punctuation; a space between Chinese and Latin letters or figures; names, flags, keys and codes
stay as they are.
"""
