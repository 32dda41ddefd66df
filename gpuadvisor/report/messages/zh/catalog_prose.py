"""Chinese of the prose that the shipped workloads and models hold: what was measured, what runs.

Looked up by the English text, which stays the only one in the catalogs; what an overlay adds is
shown as it is written there.
"""

from __future__ import annotations

from collections.abc import Mapping

PROSE: Mapping[str, str] = {
    # how the rate of the reference device was measured
    "3D U-Net offline in TensorRT INT8 (BraTS volumes), host work left out": (
        "3D U-Net 离线，TensorRT INT8（BraTS 数据），不含主机侧工作"
    ),
    "3D U-Net single stream, 157.8 ms (90th percentile)": (
        "3D U-Net 单流，157.8 毫秒（第 90 百分位）"
    ),
    "BERT-large on SQuAD in PyTorch mixed precision, largest batch, one GPU": (
        "BERT-large，SQuAD，PyTorch 混合精度，最大批次，单 GPU"
    ),
    "BERT-large, sequence 384, single stream, 6.46 ms (90th percentile)": (
        "BERT-large，序列 384，单流，6.46 毫秒（第 90 百分位）"
    ),
    "DLRM (small embeddings) in mixed precision, one GPU": ("DLRM（小型嵌入表），混合精度，单 GPU"),
    "DLRM offline in TensorRT INT8; 30,884 by Dell (v2.0), 35,316 by Inspur": (
        "DLRM 离线，TensorRT INT8；Dell 为 30,884（v2.0），浪潮为 35,316"
    ),
    "Llama 3.1 8B LoRA, batch 2, sequence 2,048, one GPU, peak 30.3 GiB": (
        "Llama 3.1 8B LoRA，批次 2，序列 2,048，单 GPU，峰值 30.3 GiB"
    ),
    "MPT-13B, sequence 2,048, 8 GPUs, per GPU; 1,795 at 8,192 and 2,330 at 1,024": (
        "MPT-13B，序列 2,048，8 GPU，按单卡计；序列 8,192 时 1,795，1,024 时 2,330"
    ),
    "OpenMM apoa1 (92,224 atoms), PME, mixed precision: 799.5 ns a day": (
        "OpenMM apoa1（92,224 个原子），PME，混合精度：每天 799.5 纳秒"
    ),
    (
        "PP-OCR (2020) detection + recognition end to end, one process, 72 ms an image; a user's"
        " set-up of a later version took 350 ms"
    ): (
        "PP-OCR（2020）检测 + 识别端到端，单进程，每张图 72 毫秒；一位用户的较新版本部署需 350 毫秒"
    ),
    "Parakeet V3 TDT in TensorRT, times real time; A100 variant unstated": (
        "Parakeet V3 TDT，TensorRT，实时倍率；未说明 A100 的具体型号"
    ),
    "ResNet-50 in PyTorch mixed precision, one GPU": "ResNet-50，PyTorch 混合精度，单 GPU",
    (
        "ResNet-50 offline in TensorRT INT8, without JPEG decoding; 5,680 in v0.5, 6,285 by Dell"
    ): "ResNet-50 离线，TensorRT INT8，不含 JPEG 解码；v0.5 为 5,680，Dell 为 6,285",
    "ResNet-50 single stream, 1.086 ms (90th percentile), without JPEG decoding": (
        "ResNet-50 单流，1.086 毫秒（第 90 百分位），不含 JPEG 解码"
    ),
    "SDXL 1024 px, 20 steps, offline": "SDXL 1024 像素，20 步，离线",
    "SDXL 1024 px, 20 steps, single stream, 5,300 ms (90th percentile)": (
        "SDXL 1024 像素，20 步，单流，5,300 毫秒（第 90 百分位）"
    ),
    "SSD300 in PyTorch mixed precision, one GPU": "SSD300，PyTorch 混合精度，单 GPU",
    (
        "Tacotron 2 + WaveGlow end to end, 125,397 samples/s at 22,050 Hz; MegaTTS3 took 1.84 s a"
        " second"
    ): (
        "Tacotron 2 + WaveGlow 端到端，22,050 Hz 时每秒 125,397 个采样；"
        "MegaTTS3 合成每秒音频需 1.84 秒"
    ),
    (
        "Tacotron 2 + WaveGlow end to end, 222,672 samples/s at 22,050 Hz; 138,226 in the second"
        " table"
    ): "Tacotron 2 + WaveGlow 端到端，22,050 Hz 时每秒 222,672 个采样；第二张表为 138,226",
    "YOLOv8s at 320 px in PyTorch end to end, one process on g4dn.xlarge": (
        "YOLOv8s，320 像素，PyTorch 端到端，g4dn.xlarge 上单进程"
    ),
    "gte-modernbert-base (149 M): 409 USD a billion at 0.8 USD an hour, as printed": (
        "gte-modernbert-base（149 M）：原文为每小时 0.8 USD 时每十亿 409 USD"
    ),
    "h264 by NVENC, two workers; 393.9 in h265": "NVENC h264，两个工作进程；h265 为 393.9",
    (
        "no page rate of a batched OCR server was found on any two cloud cards; devices are"
        " compared by batched CNN inference (MLPerf)"
    ): ("未找到两种云上加速卡的批处理 OCR 页速率；以批处理 CNN 推理（MLPerf）比较加速卡"),
    "output tokens/s of one user, 256 tokens in, 128 out, 16-bit": (
        "单用户每秒输出 token，输入 256、输出 128，16 位"
    ),
    "output tokens/s offline, at most 128 sequences at once": (
        "离线每秒输出 token，最多同时 128 个序列"
    ),
    "output tokens/s with the queue full, 256 tokens in, 128 out, 16-bit": (
        "队列满时每秒输出 token，输入 256、输出 128，16 位"
    ),
    # what the memory of a replica is
    "11.2 M parameters at 2 B, 1 GiB of CUDA context, activations of a batch of 32": (
        "1,120 万参数，每个 2 B，CUDA 上下文 1 GiB，另加批次 32 的激活值"
    ),
    "149 M parameters at 2 B, 1 GiB of CUDA context, activations of a batch": (
        "1.49 亿参数，每个 2 B，CUDA 上下文 1 GiB，另加一个批次的激活值"
    ),
    (
        "16 B x 13 B parameters over 8 devices (24.2 GiB), checkpointed activations and overhead"
    ): "130 亿参数 x 16 B，分到 8 张卡（24.2 GiB），另加激活检查点和固定开销",
    "25.6 M parameters at 2 B, 1 GiB of CUDA context, activations of a batch of 128": (
        "2,560 万参数，每个 2 B，CUDA 上下文 1 GiB，另加批次 128 的激活值"
    ),
    "3.5 B parameters at 2 B, 20 % for activations, 1 GiB of CUDA context": (
        "35 亿参数，每个 2 B，激活值占 20 %，CUDA 上下文 1 GiB"
    ),
    "DLRM of Criteo 1 TB ran on a T4, which shows 14.56 GiB": (
        "Criteo 1 TB 的 DLRM 曾在 T4 上运行，T4 可用 14.56 GiB"
    ),
    "Llama 3.1 8B LoRA, batch 2, sequence 2,048 as run on an RTX 4090; QLoRA 7.4": (
        "Llama 3.1 8B LoRA，批次 2，序列 2,048，在 RTX 4090 上运行；QLoRA 为 7.4"
    ),
    "Whisper large-v2 at batch 8; 4.5 unbatched": "Whisper large-v2，批次 8；未批处理为 4.5",
    "peak of PP-OCRv5 server, longest side 960; 10.4 at 1280": (
        "PP-OCRv5 server 峰值，最长边 960；1280 时为 10.4"
    ),
    "ran on a T4, which shows 14.56 GiB": "曾在 T4 上运行，T4 可用 14.56 GiB",
    "the same training ran on a V100 of 16 GB": "同样的训练曾在 16 GB 的 V100 上运行",
    "the same training ran on a V100 of 16 GB at batch 16": (
        "同样的训练曾在 16 GB 的 V100 上以批次 16 运行"
    ),
    "the same training ran on a V100 of 16 GB at batch 96": (
        "同样的训练曾在 16 GB 的 V100 上以批次 96 运行"
    ),
    "the same training ran on a V100 of 32 GB": "同样的训练曾在 32 GB 的 V100 上运行",
    "the simulator asks for a card of 8 GB (7.45 GiB)": "仿真器要求 8 GB 的卡（7.45 GiB）",
    (
        "weights 14.96 GiB as measured, 1 GiB of overhead, 8,192 tokens of cache at 131,072 B"
    ): "权重实测 14.96 GiB，固定开销 1 GiB，8,192 个 token 的缓存（每个 131,072 B）",
    # what a run is
    "10,000 packed sequences of 2,048 tokens, once (assumed)": (
        "10,000 个打包序列，每个 2,048 token，一遍（假设）"
    ),
    "2 epochs of 87,599 questions": "87,599 个问题，2 轮",
    "20 tokens a parameter": "每个参数 20 token",
    "65 epochs of the 117,266 images with annotations": "117,266 张有标注的图像，65 轮",
    "90 epochs of 1,281,167 images": "1,281,167 张图像，90 轮",
    "one epoch of Criteo 1 TB": "Criteo 1 TB，一轮",
    "one microsecond of the benchmark's system (assumed)": "基准体系的一微秒（假设）",
    # the measured memory of a model
    "slope of the largest batches on 16, 24, 40, 48 and 80 GB: 0.68 GB a sequence of 384": (
        "16、24、40、48 和 80 GB 上最大批次的斜率：每个 384 长的序列 0.68 GB"
    ),
    "39.3 GB for one image of 1024 x 1024; 12 B of transformer and 4.8 B of text encoders": (
        "一张 1024 x 1024 图像 39.3 GB；transformer 12 B，文本编码器 4.8 B"
    ),
    "peak of one process, default page size: 4.2 GB": "单进程峰值，默认页面大小：4.2 GB",
    "peak of one process, default page size: 5.4 GB; 10.4 GB at a side of 1280": (
        "单进程峰值，默认页面大小：5.4 GB；边长 1280 时 10.4 GB"
    ),
    (
        "upper bound: an image keeps less than in training, which runs at batch 256 in 15.8 GiB"
    ): "上限：每张图保留的少于训练，训练以批次 256 占用 15.8 GiB",
    "upper bound: batch 256 of 224 x 224 runs in the 15.78 GiB of a V100": (
        "上限：224 x 224 的批次 256 可在 V100 的 15.78 GiB 中运行"
    ),
    (
        "512 x 512 with xformers: 3.2, 6.6, 11.1, 19.8 GB at batch 1, 4, 8, 16, that is 2.1 + 1.1"
        " x batch"
    ): "512 x 512，xformers：批次 1、4、8、16 时 3.2、6.6、11.1、19.8 GB，即 2.1 + 1.1 x 批次",
    "4 images of 1024 x 1024: 21.7 GB, of which 6.94 are weights": (
        "4 张 1024 x 1024 图像：21.7 GB，其中权重 6.94"
    ),
    "faster-whisper: 4,525 MB alone, 6,090 MB at batch 8": (
        "faster-whisper：单路 4,525 MB，批次 8 时 6,090 MB"
    ),
    # what is bought
    "Node of 8 H100 SXM": "8 卡 H100 SXM 节点",
    "DGX B200 system": "DGX B200 整机",
    # why there is no speed, or a device cannot do it
    "an hour is an hour on every card": "在任何卡上一小时就是一小时",
    "no published rate of one simulator on several cloud cards was found": (
        "未找到同一仿真器在多种云上加速卡的公开速率"
    ),
    "no published rate on a cloud card was found": "未找到云上加速卡的公开速率",
    (
        "no rendering benchmark of several cloud cards by one party was found; FP32 alone misleads,"
        " for ray tracing has its own units"
    ): ("未找到同一方对多种云上加速卡的渲染基准；仅看 FP32 会误导，因为光线追踪有专用单元"),
    "no ray-tracing units": "没有光线追踪单元",
    "no video encoder": "没有视频编码器",
    "runs inference alone": "只能运行推理",
    "only two of its processing clusters can do graphics": "只有两个处理簇能做图形",
}
