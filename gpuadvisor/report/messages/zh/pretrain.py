"""从零训练的文案：模型如何切分、梯度压缩、跨可用区。"""

from __future__ import annotations

ZH: dict[str, str] = {
    "pretrain.compressed_shards": (
        "--compression {method} 只压缩完整梯度的 all-reduce（--sharding none）："
        "{sharding} 交换的是分片，其中的权重不会被压缩"
    ),
    "pretrain.zones_most": "--zones {zones}：最多 {most} 个可用区，且每个区至少一台",
    "pretrain.stages_most": "--pipeline-parallel {stages}：该模型只有 {layers} 层",
    "pretrain.batch_least": "--batch-tokens {batch}：一条序列就有 {context} 个 token",
    "pretrain.gpus_least": (
        "--gpus {gpus}：按 --tensor-parallel 与 --pipeline-parallel 切分的一个副本"
        "需要 {replica} 张加速卡"
    ),
    "pretrain.micro_most": (
        "--accumulation {count}：一步 {batch} 个 token 只有 {most} 条序列；可用 --batch-tokens 调整"
    ),
    "pretrain.timed_apart": (
        "按运算量与此类训练可达到的峰值占比计时，扣除计算掩盖不了的通信；"
        "分布在 {zones} 个可用区，区间走普通 IP 网络，所有节点同时就绪"
    ),
    "pretrain.batch": "每步最多 {tokens} 个 token",
    "pretrain.accumulation": "每步 {count} 个微批次",
    "pretrain.tensor_penalty": "其中每个切分层的通信耗时最多为其计算的 {ratio} 倍（{type}）",
    "pretrain.layout": "{data} 个副本，每个副本 {tensor}（张量并行）x {pipeline}（流水线并行）张卡",
    "pretrain.split": "（切分 {tensor} x {pipeline}）",
    "pretrain.net": "整体达到峰值的 {share}",
    "pretrain.bubble": "流水线每步空闲 {share}",
    "pretrain.recomputed": "{share} 的层重新计算激活值",
    "pretrain.compressed_same": "{method} 梯度压缩：梯度本来就是 16 位",
    "pretrain.compressed_gain": (
        "{method} 梯度压缩：每卡每步 {after} GB，原为 {before} GB，快 {share}，省 {hours} 小时"
    ),
    "pretrain.compressed_nothing": (
        "{method} 梯度压缩：每卡每步 {after} GB，原为 {before} GB，但没有收益：通信本已被计算掩盖"
    ),
    "pretrain.compressed_loss": (
        "{method} 梯度压缩：每卡每步 {after} GB，原为 {before} GB，反而慢 {share}，"
        "多 {hours} 小时：链路这么快时，压缩比直接发送更慢"
    ),
    "pretrain.apart": (
        "分布在 {zones} 个可用区需 {hours} 小时，同一置放群组内 {together} 小时；"
        "跨区流量 {volume}，{cost}"
    ),
    "pretrain.apart_cost": "另计 {cost} {currency}",
    "pretrain.apart_unknown": "价格未知",
    "pretrain.step": (
        "每步 {seconds} 秒、{tokens} 个 token：{data} 个副本 x {micro} 个微批次 x"
        " {sequences} 条序列"
    ),
    "pretrain.zero1": (
        "副本之间只分摊优化器状态（ZeRO-1）：流水线中每个微批次都要重新收集被切分的权重"
    ),
    "pretrain.traffic": "每卡每步为梯度和权重发送 {data} GB{tensor}{pipeline}",
    "pretrain.traffic_tensor": "，切分层内经 NVLink {size} GB",
    "pretrain.traffic_pipeline": "，流水线各级之间 {size} GB",
    "pretrain.apart_exchange": (
        "单步通信本身（不计掩盖）：{zones} 个可用区 {apart} 毫秒，同一置放群组 {together} 毫秒；"
        "跨区流量价格来源：{source}"
    ),
    "pretrain.method_fp16": "fp16",
    "pretrain.method_1bit": "1 比特",
    "pretrain.method_powersgd": "PowerSGD",
}
