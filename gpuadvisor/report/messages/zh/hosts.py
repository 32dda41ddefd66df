"""Texts of `check` for code hosts: what each rule is about, and words of their formats."""

from __future__ import annotations

ZH: dict[str, str] = {
    "hosts.ga001": "变更带来的 GPU 成本增幅超过策略允许的金额",
    "hosts.ga002": "变更带来的 GPU 成本增幅超过策略允许的比例",
    "hosts.ga003": "GPU 成本的降幅超出策略预期",
    "hosts.ga004": "GPU 成本超出预算",
    "hosts.ga005": "单个资源的每小时成本超过策略允许的上限",
    "hosts.ga006": "加速卡数量超过策略允许的上限",
    "hosts.ga007": "策略不允许的实例类型",
    "hosts.ga008": "策略不允许的加速卡",
    "hosts.ga009": "策略不允许的区域",
    "hosts.ga010": "策略不允许的购买方式",
    "hosts.ga011": "应为竞价的资源不是竞价",
    "hosts.ga012": "有资源无法计价",
    "hosts.ga013": "价格早于策略允许的时限",
    "hosts.ga014": "无法挂载到该机器的加速卡",
    "hosts.ga015": "该区域不提供的类型",
    "hosts.ga016": "无法购买或无法以此方式购买的类型",
    "hosts.ga017": "同一请求修改了策略",
    "hosts.ga018": "策略的例外已到期",
    "hosts.ga019": "输入不完整",
    "hosts.ga020": "负载放不进为其指定的节点",
    "hosts.other": "策略的一条规则",
    "hosts.at_place": "{place}：{text}",
    "hosts.priced": "每月 {delta}",
    "hosts.junit_cost": "{address} 的成本",
}
