"""Chinese of the notes that the shipped catalogs hold on instance types.

A note is a row of phrases, apart by `; ` or `. `; each is looked up alone, as a pattern of the
whole phrase. A phrase that matches none, such as a new one from a refresh, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_GROUP = r"\((?:[\w./-]+#\d+)\)"

PHRASES: Mapping[str, str] = {
    # which card it is
    r"Form factor not stated: taken as the slower one": "未说明形态：按较慢的一种计",
    r"Form factor not stated: taken as SXM4, like the sister family (\S+)": (
        "未说明形态：按 SXM4 计，与同类系列 {0} 一致"
    ),
    r"Edition not stated: taken as the Server Edition, the slower one": (
        "未说明版本：按较慢的 Server Edition 计"
    ),
    r'"NVLink", listed beside PCIe and SXM, is the PCIe card with bridges': (
        "与 PCIe、SXM 并列的“NVLink”是带桥接的 PCIe 卡"
    ),
    r'"NVLink", listed beside PCIe at the same price, is the SXM card': (
        "与 PCIe 同价并列的“NVLink”是 SXM 卡"
    ),
    r"A pool of RTX A4000, A4500 and 4000 Ada: taken as the slowest": (
        "RTX A4000、A4500 和 4000 Ada 混合池：按最慢的计"
    ),
    r"The API says GA107 with 16 GB, an A16 or an A2, which differ by 1 %: taken as the A16": (
        "API 显示为 16 GB 的 GA107，即 A16 或 A2，两者相差 1 %：按 A16 计"
    ),
    r"H100 NVL pair": "H100 NVL 一对",
    r"4 T4 without NVLink": "4 张 T4，无 NVLink",
    r"one GPU is half a Tesla M60 card": "一张 GPU 为半块 Tesla M60 卡",
    r"AMD, no CUDA": "AMD，不支持 CUDA",
    r"AMD, cloud gaming and desktops, no CUDA": "AMD，用于云游戏和桌面，不支持 CUDA",
    r"SR-IOV slice": "SR-IOV 切片",
    r"SR-IOV slice, no CUDA": "SR-IOV 切片，不支持 CUDA",
    r"vGPU slice": "vGPU 切片",
    r"vGPU slice with GRID licence": "vGPU 切片，含 GRID 许可",
    r"the API reports 1 (GPU|accelerator)": "API 显示 1 张加速卡",
    r"The API counts 0 GPUs: LogicalGpuCount x GpuPartitionSize": (
        "API 显示 0 张 GPU：按 LogicalGpuCount x GpuPartitionSize 计"
    ),
    r"The API reports (\d+) MiB per GPU": "API 显示每张 GPU {0} MiB",
    r"Microsoft documents no GPU count, the API says 1 on every size": (
        "Microsoft 未说明 GPU 数量，API 对所有大小都显示 1"
    ),
    r"GPU count by the docs of (\S+)": "GPU 数量据 {0} 的文档",
    r"GPU count read from its sibling and the series range (\S+)": (
        "GPU 数量由同系列类型和系列范围 {0} 推得"
    ),
    r"GPU count and host memory by the Azure pricing calculator feed": (
        "GPU 数量和主机内存据 Azure 价格计算器数据"
    ),
    r"split per size read from the series range": "各大小的划分由系列范围推得",
    r"fraction read from its price beside (\S+) \((\S+)\): not documented": (
        "份额由其与 {0}（{1}）的比价推得：无文档说明"
    ),
    r"1/2 read from memory and half the price of (\S+)": "由显存和 {0} 的半价推得为 1/2",
    r"2 read from double the price of (\S+)": "由 {0} 的双倍价格推得为 2",
    r"shape (?:assumed from|taken as) (\S+)": "规格按 {0} 计",
    r"a Cloud TPU API name, 4 chips of 2 cores(: the 8 counts cores)?": (
        "Cloud TPU API 的名称，4 个芯片各 2 核"
    ),
    r"Cloud TPU API only": "仅限 Cloud TPU API",
    # the machine
    r"Arm \(Grace\), NVL72 domain": "Arm（Grace），NVL72 域",
    r"bare metal, Arm \(Grace\), 4 GPUs of an NVL72 domain": (
        "裸金属，Arm（Grace），NVL72 域中的 4 张 GPU"
    ),
    r"Arm host": "Arm 主机",
    r"A bare-metal machine": "裸金属机器",
    r"confidential VM": "机密虚拟机",
    r"accelerated networking is not supported": "不支持加速网络",
    r"InfiniBand (.+)": "InfiniBand {0}",
    r"Ethernet (.+)": "以太网 {0}",
    r"NVLink ring": "NVLink 环",
    r"NVLink bridges join GPU pairs": "NVLink 桥接成对的 GPU",
    r"across pairs only PCIe \((\S+) GB/s all-reduce against (\S+) in a pair\)": (
        "对与对之间只有 PCIe（all-reduce {0} GB/s，对内为 {1}）"
    ),
    r"Infinity Fabric between GPUs": "GPU 间为 Infinity Fabric",
    r"no RDMA: wrong for multi-node training": "没有 RDMA：不适合多节点训练",
    r"(\d+) of (\d+) Gb/s is RDMA": "{1} Gb/s 中 {0} 为 RDMA",
    r"Chips are linked by NeuronLink": "芯片由 NeuronLink 互联",
    r"Cards are linked by on-chip RoCE ports": "卡间由片上 RoCE 端口互联",
    r"network up to (\d+) Gb/s by vCPU and GPU count": (
        "网络最高 {0} Gb/s，取决于 vCPU 和 GPU 数量"
    ),
    r"Network (\S+) Gbps is the baseline, no maximum is published": (
        "网络 {0} Gbps 为基线，未公布最大值"
    ),
    r'Network is published as "High", no figure': "网络公布为“High”，没有数值",
    r"Sources disagree on network: (\d+) or (\d+) Gbps": "各来源对网络说法不一：{0} 或 {1} Gbps",
    r"(\d+) Gb/s in (\S+) and (\S+), (\d+) elsewhere": "{1} 和 {2} 为 {0} Gb/s，其他区域 {3}",
    r"(\d+) TiB local NVMe": "本地 NVMe {0} TiB",
    r"bundled local SSD": "自带本地 SSD",
    r"local SSD optional": "本地 SSD 可选",
    r"local SSD is optional and billed apart": "本地 SSD 可选，另行计费",
    r"up to (\d+) GiB local SSD billed apart": "本地 SSD 最多 {0} GiB，另行计费",
    r"hyperdisk only": "仅支持 hyperdisk",
    r"whether the 12 TB local SSD is inside is not verified": "是否含 12 TB 本地 SSD 未核实",
    r"variant (\S+) has no local SSD": "变体 {0} 没有本地 SSD",
    r"host memory (\d+) GiB by the resource SKU, (\d+) in the docs": (
        "主机内存按资源 SKU 为 {0} GiB，文档为 {1}"
    ),
    r"host memory is (\d+) GiB in one copy of Google's table and (\d+) in another": (
        "主机内存在 Google 表格的一份副本中为 {0} GiB，另一份为 {1}"
    ),
    r"Azure says (\d+) GB per GPU, NVIDIA (\d+) usable": (
        "Azure 称每张 GPU {0} GB，NVIDIA 称可用 {1}"
    ),
    r"(n1-standard-\d+) with (\d+) x (\S+) attached": "{0} 挂载 {1} x {2}",
    r"other N1 sizes take the same GPUs": "其他 N1 大小可挂载同样的 GPU",
    # what the price holds
    r"Disk and network are extra": "磁盘和网络另计",
    r"storage and traffic extra, set by the host": "存储和流量另计，由房主定价",
    r"the host is included": "含主机",
    r"machine price = (?:(\d+) x )?chip rate": "整机价 = 芯片费率 x {0}",
    r"its rate is the whole-GPU rate times the fraction: Google's page printed (\S+) for (\S+)"
    r" in (\S+) on (\S+)": ("费率为整卡费率乘以份额：Google 页面 {3} 显示 {1} 在 {2} 为 {0}"),
    r"priced as 8 slices of one SKU that is read as the whole machine": (
        "按一个 SKU 的 8 份计价，视为整机"
    ),
    r"Rate per GPU": "费率按 GPU 计",
    r"sold as a node of eight only": "只以八卡节点出售",
    r"Serverless: price of the GPU alone, CPU and memory are billed on top": (
        "无服务器：价格只含 GPU，CPU 和内存另计"
    ),
    r"Price of the GPU alone: vCPU (\S+) and RAM (\S+) USD per GB and hour are billed on top": (
        "价格只含 GPU：vCPU 每小时 {0} USD、内存每 GB 每小时 {1} USD 另计"
    ),
    r"vCPU (\S+) and RAM (\S+) USD per GB and hour on top": (
        "vCPU 每小时 {0} USD、内存每 GB 每小时 {1} USD 另计"
    ),
    r"Flex worker: billed per started second with cold start and idle timeout": (
        "Flex worker：按启动的秒数计费，含冷启动和空闲超时"
    ),
    r"The API gives (\S+) USD for a month of 744 hours: no discount": (
        "API 给出 744 小时一个月 {0} USD：没有折扣"
    ),
    r"sustained use discount applies to N1": "N1 适用持续使用折扣",
    r"the Windows rate is (\S+) higher and must not be read as Linux": (
        "Windows 费率高 {0}，不可当作 Linux"
    ),
    r"posted spot equals on demand in (\S+)": "{0} 的公布竞价与按需同价",
    r"posted spot equals on demand in three EU regions": "三个欧盟区域的公布竞价与按需同价",
    r"one list price in all commercial regions|One list price in all commercial regions": (
        "所有商用区域同一目录价"
    ),
    r"the shape is not in every one": "并非每个区域都有该规格",
    r"One price in all regions": "所有区域同价",
    r"few regions have the type in stock": "少数区域有货",
    r"By zone (\S+) CNY an hour and (\S+) CNY a month: the upper end is taken": (
        "按可用区每小时 {0} 元、每月 {1} 元：取上限"
    ),
    r"A month's subscription lists (\S+) CNY": "包月目录价 {0} 元",
    r"Median per GPU over strangers' hosts, volatile": "按各房主主机的单卡中位价，波动大",
    r"Market price of the day": "当日市场价",
    r"the price floats by about (\d+) %": "价格约浮动 {0} %",
    r"repriced (\S+) \((\S+) to (\S+) in (\S+)\): ten older regional rates are left out": (
        "{0} 调价（{3} 由 {1} 变为 {2}）：略去十个较旧的区域费率"
    ),
    # whether and how it is sold
    r"a commitment covers GPU and local SSD only with an attached reservation": (
        "承诺须附带预留才能涵盖 GPU 和本地 SSD"
    ),
    r"a list SKU exists but plain on-demand is not sold": "有目录 SKU，但不出售普通按需",
    r"an on-demand list price is published, whether it can be bought without a commitment is not"
    r" verified": "公布了按需目录价，能否不作承诺购买未核实",
    r"Spot or flex-start only: the list price exists but is not sold as plain on-demand": (
        "仅竞价或 flex-start：有目录价，但不以普通按需出售"
    ),
    r"No on-demand price anywhere: spot and Capacity Blocks only": (
        "各处均无按需价：仅竞价和容量块"
    ),
    r"calendar mode by the price list of (\S+)": "日历模式据 {0} 的价目表",
    r"sold by reservation with Google": "须向 Google 预留",
    r"By application only(?: at the time)?": "须申请",
    r"Not spot": "非竞价",
    r"Spot is rarely available \(tracker\)": "竞价很少有货（据追踪站）",
    r"The GPU is reached over the network and may be taken away": ("GPU 经网络访问，可能被收回"),
    r"A stranger's host": "他人的主机",
    r"Strangers' machines, interruptible: price of the GPU alone at medium priority": (
        "他人的机器，可中断：中等优先级下仅 GPU 的价格"
    ),
    r"(\d+) regions only": "仅 {0} 个区域",
    r"Offered in (\S+) and (\S+) only": "仅在 {0} 和 {1} 提供",
    r"no savings plan": "没有节省计划",
    r"3-year reservation is not offered": "不提供 3 年预留",
    r"3-year reserved instances exist, 1-year standard ones do not": (
        "有 3 年预留实例，没有 1 年标准预留"
    ),
    r"No 1-year EC2 Instance Savings Plan or reserved instance": (
        "没有 1 年 EC2 实例节省计划或预留实例"
    ),
    r"1 year is a Compute Savings Plan": "1 年为计算节省计划",
    r"capacity frozen: Microsoft deploys net new NC capacity only as (\S+)": (
        "容量冻结：Microsoft 新增的 NC 容量只部署为 {0}"
    ),
    r"the last V100 that Azure sells": "Azure 在售的最后一款 V100",
    r"Previous generation: P3 is retired, p3dn is still described by the API on (\S+)": (
        "上一代：P3 已退役，{0} 时 API 仍列出 p3dn"
    ),
    # what is unknown
    r"Price unknown": "价格未知",
    r"Price unknown: the public copy states no currency": "价格未知：公开副本未注明货币",
    r"Price unknown: gpuhunt's figure is its own estimate": "价格未知：gpuhunt 的数字是其自行估算",
    r"On-demand price unknown: not in stock in that snapshot": "按需价未知：该快照中无货",
    r"(?:no (?:on-demand )?price found|no public price(?: SKU)?|No public price at hand)": (
        "没有公开价格"
    ),
    r"no commitment rate found": "未找到承诺费率",
    r"Newest on-demand price is of (\S+)": "最新的按需价日期为 {0}",
    r"List of about (\d+)": "约 {0} 年的价目表",
    r"no retirement notice seen": "未见退役通知",
    r"still in the price list(?: and the spot feeds)?": "仍在价目表中",
    r"price rows are still published(?: after retirement)?": "价格条目仍在公布",
    r"retirement announced (\S+)": "{0} 宣布退役",
    rf"Retirement announced by (\S+) {_GROUP}, date unknown": "{0} 前已宣布退役，日期未知",
    r"Family retired by Alibaba Cloud": "该系列已被阿里云下线",
    rf"Gone from AWS's list of types by region on (\S+) {_GROUP}": (
        "{0} 起不在 AWS 的区域类型列表中"
    ),
    rf"Gone from DescribeInstanceTypes by (\S+) {_GROUP}": "{0} 前已不在 DescribeInstanceTypes 中",
    r"Gone from the API type list by (\S+), spot stands at on-demand: taken as not launchable": (
        "{0} 前已不在 API 类型列表中，竞价等于按需：视为无法启动"
    ),
    rf"no longer described by the API on (\S+) {_GROUP}": "{0} 时 API 已不再列出",
    r"absent from the accelerator list of (\S+): status unclear, not offered": (
        "不在 {0} 的加速器列表中：状态不明，不提供"
    ),
    r"not a resource SKU on (\S+)": "{0} 时不是资源 SKU",
    r"inactive and not a resource SKU on (\S+)": "{0} 时停用且不是资源 SKU",
    r"kept only to explain old plans": "仅为解释旧 plan 而保留",
    r"preview(?: or price-only)? name": "预览或仅有价格的名称",
    r"not offered here": "此处不提供",
    # other sources, and names
    r"1 by the API": "按 API 为 1",
    r"2018 preview name of NDv2: price rows only, in no size page and no resource SKU list, never"
    r" sold": "NDv2 的 2018 年预览名称：只有价格条目，从未出售",
    r"A page scrape of (\S+) shows (\S+) USD on demand": "{0} 抓取的页面显示按需 {1} USD",
    r"Another source shows (\S+) USD on (\S+)": "另一来源 {1} 显示 {0} USD",
    r"A tracker implies about (\S+) USD by (\S+)": "追踪站显示 {1} 前约 {0} USD",
    r"(\S+) listed (\S+) USD on (\S+)": "{0} 于 {2} 标价 {1} USD",
    rf"AWS notice of (\S+) {_GROUP}": "AWS {0} 的通知",
    r"AWS notice quoted in (\S+)": "{0} 引用的 AWS 通知",
    r"At (\S+) for 8 V100 it would lead every ranking": "8 张 V100 若为 {0}，会在所有排名中领先",
    r"Member of a GB200 NVL72 UltraServer (.+), sold as a whole by Capacity Block in the Dallas"
    r" local zone (.+)": "GB200 NVL72 UltraServer 的成员，在达拉斯本地区域以容量块整体出售",
    r"vCPU, memory and network not cross-checked": "vCPU、内存和网络未经交叉核对",
    r"Member of a Trn2 UltraServer": "Trn2 UltraServer 的成员",
    r"Price unknown: a later scrape shows the listed (\S+) USD under (\S+)": (
        "价格未知：后来的抓取把所列 {0} USD 归于 {1}"
    ),
    r"Price unknown: the listed (\S+) USD is given to the (\S+) by later scrapes": (
        "价格未知：后来的抓取把所列 {0} USD 归于 {1}"
    ),
    r"Size and card as at Open Telekom Cloud, which Huawei built": (
        "大小和加速卡与华为承建的 Open Telekom Cloud 一致"
    ),
    r"not checked at Huawei Cloud": "未在华为云核对",
    r"The name reads like one customer's own type": "名称像是某个客户的专属类型",
    r"also named (\S+)": "又名 {0}",
    r"the retail name lacks (\S+)": "零售名称没有 {0}",
    r"some regions publish its price as (\S+)": "部分区域以 {0} 公布其价格",
    r"documented and a resource SKU but no public price row": "有文档且是资源 SKU，但没有公开价格",
    r"its own SKU family \((.+)\)": "自成 SKU 系列（{0}）",
    r"name without RDMA, 10 % under isr": "不带 RDMA 的名称，比 isr 低 10 %",
    r"restricted name without RDMA, same price as amsr": "不带 RDMA 的受限名称，与 amsr 同价",
    r"status unclear: still a resource SKU on (\S+), absent from Microsoft's retired list, treated"
    r" as retired by others": (
        "状态不明：{0} 时仍是资源 SKU，不在 Microsoft 的退役列表中，其他来源视为已退役"
    ),
    r"the international site had pay as you go only": "国际站当时只有按量付费",
}


def note(text: str) -> str:
    """A note with every phrase that is known in Chinese."""
    return "；".join(phrase(part) for part in parts(text))


def parts(text: str) -> list[str]:
    """The phrases of a note."""
    found = re.split(r"; |\. (?=[A-Z0-9]|vCPU)", text.rstrip("."))
    return [part.strip() for part in found if part.strip()]


def phrase(text: str) -> str:
    """One phrase in Chinese, or as it is."""
    for pattern, chinese in PHRASES.items():
        found = re.fullmatch(pattern, text)
        if found is not None:
            return chinese.format(*(part or "1" for part in found.groups()))
    return text
