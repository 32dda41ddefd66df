"""Chinese texts of `recommend --emit`."""

from __future__ import annotations

ZH: dict[str, str] = {
    "emit.what": (
        "{instances} 台 {type}（{devices} x {device}），{provider} {region}，{terms}：{title} 的第"
        " {rank} 名方案。"
    ),
    "emit.unnamed": "未指定的负载",
    "emit.price": (
        "选择时的价格：单台 {price}，全部 {hourly}，每月 {hours} 小时共 {monthly}；{source}。"
    ),
    "emit.price_one": "选择时的价格：{price}，每月 {hours} 小时共 {monthly}；{source}。",
    "emit.source": "{date} 的价格，{confidence}：{title}（{address}）",
    "emit.your_price": "您自己的价格",
    "emit.part_of_month": "该价格按每月 {hours} 小时计：其余时间请停止机器，本文件不会自动停止。",
    "emit.run": "整个任务：约 {hours} 小时，{money}（{low} 至 {high}）。",
    "emit.commitment": (
        "该价格属于承诺购买（{details}），在云厂商的账单系统中购买，不在本"
        "文件中：下面的机器按需计费，在购买承诺之前费用更高。"
    ),
    "emit.capacity_block": (
        "容量块（Capacity Block）按固定日期购买并预付；请先购买，并在到期前删除机器。"
    ),
    "emit.flex_start": "flex-start 会排队直到所有机器可用，并最多在七天后收回。",
    "emit.calendar": "日历预留需先申请并获批固定日期；机器绑定在该预留上。",
    "emit.fallbacks": "竞价可能改用以下类型，设备相同，按其各自的竞价价格计费：{types}。",
    "emit.spot_alone": "竞价机器随时可能被收回；此处没有可替代该类型的其他类型。",
    "emit.checkpoint_size": "一个检查点约 {gb} GB。",
    "emit.checkpoint_said": "按要求每工作 {minutes} 分钟写一个检查点。",
    "emit.checkpoint_best": (
        "按该任务计价所用的数据，每工作 {minutes} 分钟写一个检查点，中断与写入的损失合计最小。"
    ),
    "emit.made_by": "供审阅的起点，由 gpuadvisor 以 {today} 为准生成，命令为：",
    "emit.check": "`check` 的计价与推荐一致；修改后请再次运行。",
    "emit.check_job": (
        "`check` 给出的每小时价格与推荐一致（会结束的任务没有月度费用）；修改后请再次运行。"
    ),
    "emit.check_committed": "`check` 按需计价，因为本文件不购买承诺；修改后请再次运行。",
    "emit.check_reserved": (
        "`check` 按需计价，因为本文件只说明机器已预留，未说明预留方式；修改后请再次运行。"
    ),
    "emit.fill": "需要填写：",
    "emit.fill_vpc": "子网所属的 VPC",
    "emit.fill_subnets": "私有子网，每个可用的可用区各一个",
    "emit.fill_one_subnet": "一个私有子网，因为各节点必须彼此靠近",
    "emit.fill_image": "带有该设备驱动的机器镜像；此处没有已知的镜像",
    "emit.fill_reservation": "已购买或已获批的预留",
    "emit.fill_project": "付费的项目",
    "emit.fill_network": "子网所属的 VPC 网络",
    "emit.fill_subnetwork": "可访问互联网的子网（Cloud NAT）",
    "emit.fill_zone": "{region} 中提供该机器类型的可用区",
    "emit.fill_azure_subnet": "可访问互联网的子网（NAT 网关）",
    "emit.fill_ssh_key": "公钥；虽然无人能直接连接，Azure 仍要求提供",
    "emit.fill_storage_account": "全局未被占用的存储账户名称",
    "emit.fill_run": "要运行的命令，用 --env 以 COMMAND 传入，或直接替换",
    "emit.fill_probe": "服务的端口与就绪检查路径",
    "emit.fill_bucket": "存放检查点的位置；须为私有存储桶",
    "emit.fill_container": "要运行的内容",
    "emit.fill_cluster": "集群名称，用于发现标签和节点角色",
    "emit.bucket": "检查点：私有、加密、保留版本；被替换的内容在 {days} 天后删除。",
    "emit.no_inbound_aws": (
        "不允许任何外部入站连接；用 `aws ssm start-session --target INSTANCE` 登录。"
    ),
    "emit.no_inbound_gcp": "机器没有公网地址；用 `gcloud compute ssh --tunnel-through-iap` 登录。",
    "emit.no_inbound_azure": "机器没有公网地址，默认规则不允许入站；通过 Azure Bastion 登录。",
    "emit.encryption_at_host": (
        "主机加密需先开通一次：az feature register --namespace Microsoft.Compute --name"
        " EncryptionAtHost。"
    ),
    "emit.gcp_fabric": (
        "只配置了第一块网卡，可以启动但节点间通信较慢：{type} 有专用的 RDMA 网络，可用 Google 的"
        " Cluster Toolkit 创建。"
    ),
    "emit.azure_fabric": "同一个放置组使各节点位于同一 InfiniBand 网络。",
    "emit.stack_region": "请在 {region} 创建堆栈：模板中的规则会拒绝价格不同的其他区域。",
    "emit.demand": (
        "这些 Pod 需要集群已有或能够添加相应机器；标签为各云厂商托管集群赋予节点的标签。"
    ),
    "emit.terms_of_nodes": (
        "该处没有通用标签说明节点的计费方式：请选择相应的节点组，否则 Pod 可能落到更贵的节点上。"
    ),
    "emit.mig_nodes": (
        "节点需要 NVIDIA GPU operator（MIG 策略为 mixed）以及标签 nvidia.com/mig.config={config}。"
    ),
    "emit.pool": "有 Pod 请求时节点池才会启动机器：`--emit kubernetes` 可生成这样的 Pod。",
    "emit.mig_pool": (
        "切片需要 NVIDIA GPU operator（MIG 策略为 mixed）和 Karpenter 的功能开关 NodeOverlay，因为"
        "设备切分之前没有任何类型带有切片。"
    ),
    "emit.one_subnet": "各节点必须彼此靠近：请只填一个子网。",
    "emit.other_region": "按 {region} 的价格选定。",
    "emit.nothing": (
        "没有方案能在预算内满足需求，因此没有可写的内容；去掉 --emit 再运行一次可查看原因"
    ),
    "emit.no_rank": "--pick {pick}：答案显示的名次为 {ranks}；用 --top 可显示更多",
    "emit.zones": ("--zones {zones}：--emit 将训练的各节点集中放在同一可用区内；请去掉 --zones"),
    "emit.pick_alone": "--pick 用于选择 --emit 写出的方案；请加上 --emit",
    "emit.and_format": "--emit 写出的文件自有格式；请去掉 --format",
    "emit.form": "--emit {value}：应为 {known} 之一",
    "emit.exists": "{file} 已存在，可能含有您的修改；请移走它或另取文件名",
    "emit.provider": (
        "{form} 不能为 {provider} 生成，只能为 {known} 生成；用 --provider 把答案限制在这些厂商，"
        "--emit kubernetes 适用于所有厂商"
    ),
    "emit.terms": "{form} 无法以该方式请求机器：{terms}",
    "emit.tpu": "此处不能为 TPU（{type}）生成 terraform；可用 --emit kubernetes",
    "emit.no_resource": "没有已知的 Kubernetes 资源名可用于 {device}，因此 Pod 无法请求它",
    "emit.no_label": "{value} 不能作为 Kubernetes 标签的值",
    "emit.written": "{file}：{summary}",
}
