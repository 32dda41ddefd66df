"""Texts of `fit`."""

from __future__ import annotations

ZH: dict[str, str] = {
    "fit.no_model": (
        "fit：请指定模型（--model llama-3-8b）、文件（--config config.json）或规模"
        "（--params 7B，计算 KV 缓存还需 --layers --hidden --heads --kv-heads --head-dim）"
    ),
    "fit.uneven": "--gpus {gpus}：{heads} 个注意力头无法均分到这么多卡上",
    "fit.not_split": (
        "--gpus {gpus}：{model} 在推理时不做多卡切分，每张卡都装下整个模型；请去掉 --gpus"
    ),
    "fit.two_models": "--model 与 --config 都指定了模型：只能给出一个",
    "fit.needs_train": "{flag} 用于训练：请加上 --train",
    "fit.train_precision": "--precision {value}：训练可用的精度有 {allowed}",
    "fit.unknown_model": "未知的模型 {name}；最接近的是 {nearest}",
    "fit.bad_config": "config.json：{key} 为 {value}：应为大于 0 的整数",
    "fit.no_devices": "fit：这些云厂商没有出租支持该软件栈的此类加速卡",
    "fit.config_unreadable": "{file} 不是有效的 config.json：{reason}",
    "fit.fits": (
        "{title}{what}需要{each} {total} GiB，{considered} 种加速卡中有 {devices} 种装得下；"
        "其中最小的是 {smallest}{slice}。"
    ),
    "fit.at_least": "至少 {total}",
    "fit.or_slice": "，最小的切片是 {name}",
    "fit.fits_nowhere": (
        "{title}{what}每张卡需要 {total} GiB，所考察的 {considered} 种加速卡都装不下{largest}。"
    ),
    "fit.largest": "（{name} 可用 {room} GiB）",
    "fit.each_of": " {count} 张卡各",
    "fit.what_serving": "（{precision}，{batch} x {context} token）",
    "fit.what_items": "（{precision}，批次 {batch}）",
    "fit.what_training": (
        " 训练（{method}，{precision}，{optimizer}{sharding}，批次 {batch} x {context}）"
    ),
    "fit.part_weights": "权重",
    "fit.part_cache": "KV 缓存",
    "fit.part_activations": "激活值",
    "fit.part_gradients": "梯度",
    "fit.part_optimizer": "优化器状态",
    "fit.part_overhead": "固定开销",
    "fit.part_total": "合计",
    "fit.per_token": "每 token {bytes} B",
    "fit.bill": "每卡 GiB：{parts} = {total}",
    "fit.column_device": "加速卡",
    "fit.column_count": "数量",
    "fit.column_usable": "可用",
    "fit.column_headroom": "剩余",
    "fit.column_tokens": "可缓存 token",
    "fit.column_batch": "批次 <=",
    "fit.column_context": "上下文 <=",
    "fit.column_rented": "最小实例",
    "fit.more_rows": "… 另有 {count} 行：--format json 或 csv，或用 --device",
    "fit.slices_held": "xN：一张卡可切出 N 个这样的切片，各放一份模型；云厂商按整卡出售。",
    "fit.to_need_less": "如何减少占用（每卡 GiB）",
    "fit.change": "节省 {saves}，降至 {total}：{text}{fits}",
    "fit.change_fits": "；装得进 {name}",
    "fit.assumed": "假设：{assumptions}。",
    "fit.assume_room": ("按显存的 {utilisation} 规划，其中 {overhead} GiB 留给 CUDA 上下文和库"),
    "fit.assume_context": "每个序列 {context} token",
    "fit.assume_activations": "单步激活值计入固定开销（分块预填充）",
    "fit.measured_peak": "实测：{what}",
    "fit.keeps_none": "保留全部激活值（不做激活检查点）",
    "fit.keeps_selective": "易于重算的激活值不保留（选择性激活检查点）",
    "fit.keeps_full": "每层只保留输入并重新计算（激活检查点）",
    "fit.too_long": "{context} token 超过了该模型设计的上限 {most}",
    "fit.no_activations": ("激活值未知，按 0 计：请给出 --layers --hidden --heads --vocab"),
    "fit.adapter_assumed": "适配器按权重的 1 % 计：层结构未知",
    "fit.no_cache": "KV 缓存未知，需另计：请给出 --layers --heads --head-dim",
    "fit.not_native": (
        "{devices} 没有 {precision} 计算单元：只能以该精度存储、以其他精度计算，或完全不支持"
    ),
    "fit.change_weights": "权重用 {precision}，嵌入层保持 16 位",
    "fit.change_kv": "KV 缓存用 fp8：减半",
    "fit.change_context": "每个序列 {context} token",
    "fit.change_batch": "同时处理 {batch} 个序列",
    "fit.change_split": "拆分到 {count} 张卡（张量并行：需要 NVLink 才够快）",
    "fit.change_mixed": ("混合精度：激活值减半；权重、梯度和 Adam 仍为每参数 16 B"),
    "fit.change_checkpointing": ("激活检查点：只保留每层输入并重新计算，计算量约增加三分之一"),
    "fit.change_accumulation": "微批次 1，累积 {steps} 步：结果相同",
    "fit.change_8bit": "8 位 Adam，不保留 fp32 主副本",
    "fit.change_zero1": "优化器状态分片到 {count} 张卡（ZeRO-1）",
    "fit.change_zero2": "梯度也分片到 {count} 张卡（ZeRO-2）",
    "fit.change_zero3": ("权重也分片到 {count} 张卡（ZeRO-3、FSDP）：通信量再增加一半"),
    "fit.change_lora": "LoRA：冻结权重，只训练小型适配器",
    "fit.change_qlora": "QLoRA：权重以 4 位冻结，只训练小型适配器",
    "fit.change_offload": "优化器状态放在主机内存：每步变慢",
}
