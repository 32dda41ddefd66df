"""Chinese of the commands' help pages, by the English text that stands beside each flag.

Loaded when a command is built while Chinese is spoken. Texts that are names alone (`fp16, bf16`)
stay as they are and stand in AS_THEY_ARE, so that a test finds what was forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping

AS_THEY_ARE = frozenset(
    {
        "fp32, fp16, bf16, fp8, int8, int4, fp4.",
        "fp32, fp16, bf16, fp8, int8, int4, fp4, q4_k_m.",
        "aws,gcp,azure …",
        "aws, gcp, azure, oci, alibaba.",
        "gdpr, hipaa.",
        "5000, 5000CNY, 0.5万元, 700USD/month, 200EUR/day.",
        "2000, 2000EUR/month, 0.",
        "on_demand, spot, reserved …",
        "on_demand, spot, reserved, savings_plan …",
        "adamw, adamw-8bit, adamw-bf16, adafactor, sgd …",
        "hot=2TB,cold=18TB,retrieve=1TB,disk=200GB,egress=1TB.",
        "aws@2025.04",
    }
)

TYPER: Mapping[str, str] = {
    "Arguments": "参数",
    "Options": "选项",
    "Commands": "命令",
    "Error": "错误",
    "Usage: ": "用法：",
    "[default: {}]": "[默认：{}]",
    "[required]": "[必填]",
    "[env var: {}]": "[环境变量：{}]",
    "Try '{command} {option}' for help.": "用 '{command} {option}' 查看帮助。",
    "Show this message and exit.": "显示本帮助并退出。",
    "Show the version and exit.": "显示版本并退出。",
    "Install completion for the current shell.": "为当前 shell 安装自动补全。",
    "Show completion for the current shell, to copy it or customize the installation.": (
        "显示当前 shell 的自动补全脚本，以便复制或自定义安装。"
    ),
}
"""Words of the frame that Typer draws."""

FAULTS: Mapping[str, str] = {
    r"No such option: (\S+) \(Possible options: (.+)\)": "没有选项 {0}（可能是 {1}）",
    r"No such option: (\S+)": "没有选项 {0}",
    r"No such command (.+)\.": "没有命令 {0}",
    r"Missing (?:argument|option|parameter) (.+)\.": "缺少 {0}",
    r"Missing command\.": "缺少命令",
    r"Option (.+) requires an argument\.": "选项 {0} 需要一个值",
    r"Option (.+) requires (\d+) arguments\.": "选项 {0} 需要 {1} 个值",
    r"Option (.+) does not take a value\.": "选项 {0} 不带值",
    r"Got unexpected extra argument(?:s|\(s\))? \((.+)\)": "多余的参数：{0}",
    r"Invalid value for (.+?): (.+)": "{0} 的值无效：{1}",
    r"Invalid value: (.+)": "值无效：{0}",
}
"""What Typer says of a wrong command line, as a pattern of its whole text."""

HELP: Mapping[str, str] = {
    # headings
    "Answer": "结果",
    "What is needed": "需求",
    "What runs": "负载",
    "Runs on spot": "竞价运行",
    "Language models": "语言模型",
    "Training from scratch": "从零训练",
    "Where and how": "位置与方式",
    "Where": "位置",
    "Money": "费用",
    "Model": "模型",
    "Serving": "推理",
    "Training": "训练",
    "How much": "用量",
    "A job": "作业",
    "A demand over the day": "全天的需求",
    "Demand": "需求",
    "Terms": "条款",
    "Buying": "购置",
    "Running": "运行",
    "Renting": "租用",
    "The quote": "报价单",
    "Input": "输入",
    "Policy": "策略",
    "Values": "取值",
    "File": "文件",
    # commands
    "Rank the instances that serve a workload on a budget, with reasons and sources.": (
        "按预算为负载给实例排名，并给出理由和来源。"
    ),
    "Say on which devices a model fits, how long and wide, and how to need less.": (
        "说明模型装得进哪些加速卡、上下文和批次可多大，以及如何减少占用。"
    ),
    "Price instance types or devices on every purchase option, and add them up.": (
        "给出实例类型或加速卡在各购买方式下的价格并求和。"
    ),
    "Put instance types or devices side by side, per device-hour and per unit of work.": (
        "按卡时和每单位工作量并排比较实例类型或加速卡。"
    ),
    "Say how many of a demand curve's units to commit, run on spot and leave on demand.": (
        "说明需求曲线中多少单元用承诺、多少用竞价、多少留给按需。"
    ),
    "Compare buying accelerators with renting them: a year of each, and where they meet.": (
        "比较自购加速卡与租用：各一年的费用和两者的盈亏平衡点。"
    ),
    (
        "Quote firm prices to a customer: good, better, best for a workload, or machines as"
        " named.\n\nWith --output the customer's file holds no cost, markup, discount or command;"
        " those go to FILE.internal.json, written together with it."
    ): (
        "向客户报固定价格：为负载给出经济、均衡、极速三档，或按指定的机器报价。\n\n"
        "使用 --output 时，客户文件不含成本、加价、折扣或命令；"
        "这些写入同时生成的 FILE.internal.json。"
    ),
    (
        "Say what GPU cost a change adds, and whether the policy allows it.\n\nReads Terraform"
        " plans and sources, Pulumi previews, CloudFormation templates, Kubernetes manifests, and"
        " files of eksctl, SkyPilot, dstack, Ray and Compose. `gpuadvisor check comment` writes a"
        " report into a pull request. Exit codes: 0 within policy, 1 policy failed, 2 usage, 3"
        " input unreadable, 4 incomplete and --on-unknown fail."
    ): (
        "说明一次变更增加多少 GPU 成本，以及策略是否允许。\n\n"
        "可读取 Terraform plan 和源码、Pulumi preview、CloudFormation 模板、Kubernetes 清单，"
        "以及 eksctl、SkyPilot、dstack、Ray 和 Compose 的文件。`gpuadvisor check comment`"
        " 把报告写入合并请求。退出码：0 符合策略，1 策略未通过，2 用法错误，3 输入无法读取，"
        "4 不完整且 --on-unknown fail。"
    ),
    "List, show, validate and compare the catalogs.": "列出、查看、校验和比较目录。",
    "Every catalog with its versions, dates and counts.": "所有目录及其版本、日期和数量。",
    "One instance type with its prices, or one device with its rates.": (
        "一种实例类型及其价格，或一种加速卡及其算力。"
    ),
    "Check every file; all faults are listed with file, line and column (exit 3).": (
        "检查所有文件；列出全部错误及其文件、行和列（退出码 3）。"
    ),
    "Where the catalogs in use lie.": "在用目录的位置。",
    "What changed between two price versions: prices, new types, types that are gone.": (
        "两个价格版本之间的变化：价格、新增类型、消失的类型。"
    ),
    (
        "Make a new price version from the clouds themselves; the old one stays until it is"
        " sound.\n\nExit code 1: large changes need --accept; 4: no region was reached."
    ): (
        "从云厂商直接生成新的价格版本；新版本校验通过前保留旧版本。\n\n"
        "退出码 1：变化较大，需要 --accept；4：没有连通任何区域。"
    ),
    "JSON Schema of the YAML files, for editors, and of what commands write as JSON.": (
        "YAML 文件（供编辑器使用）和各命令 JSON 输出的 JSON Schema。"
    ),
    "List, show and test the advice rules.": "列出、查看和测试建议规则。",
    "Every rule with its policies, group and effects.": "所有规则及其策略、组和效果。",
    "One rule in full: condition, effects, reason and source.": (
        "一条规则的全部内容：条件、效果、理由和来源。"
    ),
    "Run a rule file's own cases; exit 1 if one comes out otherwise than it says.": (
        "运行规则文件自带的用例；若有用例不符则退出码为 1。"
    ),
    "Predict each measurement from the others of its group, and report the errors.": (
        "用同组的其他实测值预测每个实测值，并报告误差。"
    ),
    "Write a commented .gpuadvisor.yaml: defaults for this project, and limits for `check`.": (
        "写出带注释的 .gpuadvisor.yaml：本项目的默认值和 `check` 的限制。"
    ),
    (
        "Look at versions, catalogs with their ages, cache, config, extras and credentials.\n\n"
        "Nothing is asked of a cloud and no secret is read. Exit 3 where a catalog or the config"
        " file cannot be read."
    ): (
        "查看版本、目录及其时效、缓存、配置、可选组件和凭证。\n\n"
        "不访问任何云，也不读取机密。目录或配置文件无法读取时退出码为 3。"
    ),
    (
        "Create or update one comment; where the token may not, use the job's summary or"
        " log.\n\nOn GitHub reads GITHUB_TOKEN, GITHUB_API_URL, GITHUB_REPOSITORY and"
        " GITHUB_EVENT_PATH; on GitLab GITLAB_TOKEN (an access token with the scope api),"
        " CI_API_V4_URL, CI_PROJECT_ID and CI_MERGE_REQUEST_IID. Exits 0 whatever the host"
        " answers: the check has decided the build already."
    ): (
        "创建或更新一条评论；令牌无权时改写入作业摘要或日志。\n\n"
        "在 GitHub 读取 GITHUB_TOKEN、GITHUB_API_URL、GITHUB_REPOSITORY 和 GITHUB_EVENT_PATH；"
        "在 GitLab 读取 GITLAB_TOKEN（具有 api 范围的访问令牌）、CI_API_V4_URL、CI_PROJECT_ID 和"
        " CI_MERGE_REQUEST_IID。无论平台如何应答都以 0 退出：构建结果已由 check 决定。"
    ),
    # what is needed
    "What runs: ocr, llm-chat, train-cnn …": "运行什么：ocr、llm-chat、train-cnn …",
    "What runs: ocr, llm-chat …": "运行什么：ocr、llm-chat …",
    "Units of work a second, at all times.": "全天候每秒的工作量单位数。",
    "Units of work a month: 2M, 50万.": "每月的工作量单位数：2M、50万。",
    "A run must be done within: 12h, 30d.": "运行须在此时间内完成：12h、30d。",
    "low: a person or a stream waits.": "low：有人或实时流在等待。",
    "99 % of responses within: 100ms.": "99 % 的响应在此时间内：100ms。",
    "Requests are batched on the device.": "请求在加速卡上批处理。",
    "Spot is allowed.": "允许使用竞价。",
    "Beside the machines: hot=2TB,egress=1TB …": "机器之外：hot=2TB,egress=1TB …",
    "Work between checkpoints: auto or 10m.": "检查点之间的工作时间：auto 或 10m。",
    "None are written.": "不写检查点。",
    "Size of a checkpoint, in GB.": "检查点大小，单位 GB。",
    "Time of writing one.": "写一个检查点的时间。",
    "From a new machine to work.": "从新机器到恢复工作的时间。",
    "Of one spot instance.": "单个竞价实例的每小时中断次数。",
    "Of one running spot instance.": "单个运行中竞价实例的每小时中断次数。",
    "Devices in total.": "加速卡总数。",
    "Instances in total.": "实例总数。",
    "Device, family or alias: A100, L4.": "加速卡、系列或别名：A100、L4。",
    "Nominal GiB of a device: 16, 24, 80.": "单卡标称显存（GiB）：16、24、80。",
    "GiB that one replica needs.": "一个副本所需的 GiB。",
    "Size of a sample on storage, in kB.": "样本在存储上的大小，单位 kB。",
    "local, disk, fast-disk or network.": "local、disk、fast-disk 或 network。",
    "vCPU of an instance.": "实例的 vCPU 数。",
    "Host memory in GiB.": "主机内存，单位 GiB。",
    # models
    "Named model: llama-3-8b, sdxl …": "模型名：llama-3-8b、sdxl …",
    "A named model: llama-3-8b, sdxl …": "模型名：llama-3-8b、sdxl …",
    "Training: full, lora or qlora.": "训练方法：full、lora 或 qlora。",
    "full, lora or qlora.": "full、lora 或 qlora。",
    "Tokens of a prompt.": "提示词的 token 数。",
    "Tokens of an answer.": "回答的 token 数。",
    "Users that wait at any time.": "任意时刻等待中的用户数。",
    "99 % of first tokens within: 1s.": "99 % 的首 token 在此时间内：1s。",
    "99 % of further tokens within: 50ms.": "99 % 的后续 token 在此时间内：50ms。",
    "Output tokens a month: 500M.": "每月输出 token 数：500M。",
    "An API's price a million tokens in/out: 0.15/0.60.": (
        "API 输入/输出每百万 token 的价格：0.15/0.60。"
    ),
    "Parameters to train from scratch: 13e9.": "从零训练的参数量：13e9。",
    "Tokens of an epoch: 300e9.": "每轮的 token 数：300e9。",
    "Sequences of an epoch.": "每轮的序列数。",
    "Tokens of a sequence.": "每个序列的 token 数。",
    "Passes over them (1).": "训练轮数（1）。",
    "none, zero1, zero2 or zero3 (FSDP).": "none、zero1、zero2 或 zero3（FSDP）。",
    "none, zero1, zero2, zero3 or fsdp.": "none、zero1、zero2、zero3 或 fsdp。",
    "Of gradients: fp16, 1bit or powersgd.": "梯度压缩：fp16、1bit 或 powersgd。",
    "Micro-batches of a step.": "每步的微批次数。",
    "Tokens of a step at most (4 or 16 Mi).": "每步最多的 token 数（4 或 16 Mi）。",
    "Devices that share each layer.": "共同承担每一层的加速卡数。",
    "Stages of layers.": "流水线级数。",
    "Zones that the nodes lie in (1).": "节点所在的可用区数（1）。",
    "A Hugging Face config.json.": "Hugging Face 的 config.json。",
    "Weights: 7B, 70e9.": "权重数：7B、70e9。",
    "Layers.": "层数。",
    "Hidden size.": "隐藏维度。",
    "Attention heads.": "注意力头数。",
    "Heads of keys and values.": "键值头数。",
    "Width of a head.": "每个头的维度。",
    "Width of the feed-forward block.": "前馈层的宽度。",
    "Size of the vocabulary.": "词表大小。",
    "Tokens of a sequence, answer included.": "序列的 token 数，含回答。",
    "Sequences or images at once; per device.": "每张卡同时处理的序列或图像数。",
    "Cache in fp16 or fp8.": "KV 缓存精度：fp16 或 fp8。",
    "CUDA context and libraries (1).": "CUDA 上下文和库占用的 GiB（1）。",
    "Share of memory to plan with (0.90).": "规划使用的显存比例（0.90）。",
    "Training, not serving.": "训练而非推理。",
    "none, selective or full.": "none、selective 或 full。",
    "To the host: none, optimizer or all.": "卸载到主机：none、optimizer 或 all。",
    "Rank (8).": "LoRA 的秩（8）。",
    "Step while gradients are made, one matrix at a time.": "边算梯度边更新，逐个矩阵进行。",
    # where and how
    "hyperscaler, specialist, marketplace or any.": "hyperscaler、specialist、marketplace 或 any。",
    "A region, a part of the world (eu, us, cn …) or any.": (
        "区域、世界的一部分（eu、us、cn …）或 any。"
    ),
    "cuda, rocm, neuron, tpu, gaudi or any.": "cuda、rocm、neuron、tpu、gaudi 或 any。",
    "x86_64, arm64 or any.": "x86_64、arm64 或 any。",
    "Region.": "区域。",
    # money
    "Currency of the answer.": "结果所用的货币。",
    "Currency of the answer and of your figures.": "结果和您所给数字的货币。",
    "Hours used a month (730).": "每月使用小时数（730）。",
    "Hours used a day.": "每天使用小时数。",
    "Your price: aws/p5.48xlarge@us-east-1:on_demand=44.0.": (
        "您的价格：aws/p5.48xlarge@us-east-1:on_demand=44.0。"
    ),
    "Your price: spot=0.40, reserved=0.60 …": "您的价格：spot=0.40、reserved=0.60 …",
    "Your discount off list prices: aws=12%.": "您相对目录价的折扣：aws=12%。",
    "Your discount: aws=12%.": "您的折扣：aws=12%。",
    "Your exchange rate per USD: CNY=6.65.": "您指定的 1 USD 汇率：CNY=6.65。",
    "Drop prices older than so many days.": "舍弃早于此天数的价格。",
    "Your markup on every price: 8%.": "您在每个价格上的加价：8%。",
    "Yearly cost of upfront money (10%).": "预付资金的年成本（10%）。",
    # the answer
    "cost, unit_cost or time.": "cost、unit_cost 或 time。",
    "default or seed.": "default 或 seed。",
    "Options to show (5).": "显示的选项数（5）。",
    "Ways to show of each (5).": "每项显示的方案数（5）。",
    "Rules, figures and sources of each option.": "各选项的规则、数据和来源。",
    "table (default), json, csv, markdown, html or xlsx.": (
        "table（默认）、json、csv、markdown、html 或 xlsx。"
    ),
    "table, json, csv or markdown.": "table、json、csv 或 markdown。",
    "table or json.": "table 或 json。",
    "table, json or markdown.": "table、json 或 markdown。",
    "table (default), json, markdown, github, azure, gitlab, sarif, junit, html, xlsx": (
        "table（默认）、json、markdown、github、azure、gitlab、sarif、junit、html、xlsx"
    ),
    "Write to a file; .html, .xlsx … imply the format.": (
        "写入文件；.html、.xlsx 等后缀决定格式。"
    ),
    "Write to a file; FORMAT=FILE besides stdout, such as json=report.json.": (
        "写入文件；FORMAT=FILE 则在标准输出之外另写，例如 json=report.json。"
    ),
    "Write the option as terraform, launch-template, skypilot, kubernetes or karpenter.": (
        "把选项写成 terraform、launch-template、skypilot、kubernetes 或 karpenter。"
    ),
    "Rank of the option to emit (1).": "要输出的选项名次（1）。",
    "The same fields from a YAML or JSON file; - is stdin.": (
        "从 YAML 或 JSON 文件读取同样的字段；- 为标准输入。"
    ),
    "Folder of YAML laid over the catalogs.": "叠加在目录之上的 YAML 文件夹。",
    "Folder of YAML laid over the shipped catalogs.": "叠加在自带目录之上的 YAML 文件夹。",
    "Prices of a version: aws=2025.04.": "采用某个版本的价格：aws=2025.04。",
    "Prices of a version.": "采用某个版本的价格。",
    "Answer as of this date.": "以此日期作答。",
    "Language of the answer: en or zh.": "结果的语言：en 或 zh。",
    # estimate, compare, reserve
    "An instance type or a device: g5.xlarge, '4x g4dn.12xlarge', 8xA100.": (
        "实例类型或加速卡：g5.xlarge、'4x g4dn.12xlarge'、8xA100。"
    ),
    "Instance types or devices: g5.xlarge, 4xT4, 1xA100-80GB.": (
        "实例类型或加速卡：g5.xlarge、4xT4、1xA100-80GB。"
    ),
    "Price one job of so many hours too.": "同时为一个此时长（小时）的作业计价。",
    "The job must be done within: 30h, 2d.": "作业须在此时间内完成：30h、2d。",
    "Demand: CSV of hour,units or hour,requests.": "需求：hour,units 或 hour,requests 的 CSV。",
    "CSV of hour,units or hour,requests.": "hour,units 或 hour,requests 的 CSV。",
    "Units that always run (0).": "始终运行的单元数（0）。",
    "Units at most.": "最多的单元数。",
    "Spare units (20%).": "余量单元的比例（20%）。",
    "Units stay so long unneeded (10m).": "单元闲置多久后才停止（10m）。",
    "From order to ready (3m).": "从申请到就绪的时间（3m）。",
    "The last unit stops after it (15m).": "最后一个单元闲置多久后停止（15m）。",
    "Requests an hour that a unit serves.": "一个单元每小时处理的请求数。",
    "Requests an hour that one unit serves.": "一个单元每小时处理的请求数。",
    "Add the total over so many months.": "另给出此月数的总额。",
    "What each input does to a job's bill.": "各输入对作业账单的影响。",
    "Order by this mode; both are worked out.": "按此模式排序；两种模式都会计算。",
    "What one unit is: g5.xlarge, '2x g5.xlarge'.": "一个单元是什么：g5.xlarge、'2x g5.xlarge'。",
    "Workload of a curve of requests.": "请求数曲线对应的负载。",
    "1y (default), 3y or 1y,3y.": "1y（默认）、3y 或 1y,3y。",
    "Chance that the need outlives year one (0.5).": "需求持续超过一年的概率（0.5）。",
    "Share that may be interrupted (30%).": "可以中断的比例（30%）。",
    "Nothing on spot.": "不使用竞价。",
    "Only such commitments: reserved …": "只用此类承诺：reserved …",
    # own
    "What to buy: H100-80GB-SXM, RTX-3090 …": "购买什么：H100-80GB-SXM、RTX-3090 …",
    "How many (1).": "数量（1）。",
    "Purchase price of all, with their host.": "全部加速卡及其主机的购置价。",
    "Second-hand prices.": "二手价格。",
    "Years of use (3).": "使用年限（3）。",
    "Share of the price left after them: 15%.": "到期后的残值比例：15%。",
    "Yearly cost of capital (10%).": "资金的年成本（10%）。",
    "Rated power of the whole system.": "整个系统的额定功率。",
    "Mean share of it that is drawn (80%).": "平均实际功率占额定的比例（80%）。",
    "Power of the room over that of machines.": "机房总功率与机器功率之比。",
    "Price of a kWh.": "每 kWh 的价格。",
    "Colocation per kW and month; none if unset.": "每 kW 每月的托管费；未给出则无。",
    "Staff a year (0).": "每年的人力费用（0）。",
    "Maintenance a year, of the price (5%).": "每年维护费占购置价的比例（5%）。",
    "Share of the year it is used (50%).": "一年中使用的时间比例（50%）。",
    "Compare the cost of its unit of work.": "按该负载的单位工作量比较成本。",
    "What is rented instead; the same devices if unset.": "改租什么；未给出则为同样的加速卡。",
    "on_demand (default) or spot.": "on_demand（默认）或 spot。",
    "Your rent: on_demand=21.957.": "您的租金：on_demand=21.957。",
    "What each input does to the break-even.": "各输入对盈亏平衡点的影响。",
    # quote
    "Machines, as in estimate; without them a workload is quoted.": (
        "机器，写法同 estimate；不给出则为负载报价。"
    ),
    "Whom it is for.": "报给谁。",
    "What it is about.": "报价内容。",
    "Who stands for it.": "报价人。",
    "Its number; else from date and contents.": "报价单编号；未给出则由日期和内容生成。",
    "How long the prices hold (14d).": "价格有效期（14d）。",
    "Yours, on every price: 12%; never shown.": "您在每个价格上的加价：12%；从不显示。",
    "Added as a line of its own: 6%.": "税率，单列一行：6%。",
    # check
    "Plan JSON, manifests, templates or folders; - is stdin.": (
        "plan JSON、清单、模板或文件夹；- 为标准输入。"
    ),
    "Force a format: tfplan, kubernetes, cloudformation …": (
        "指定格式：tfplan、kubernetes、cloudformation …"
    ),
    "NAME=FILE: a file with a subtotal.": "NAME=FILE：为该文件单独小计。",
    "The state before, for formats without one.": "变更前的状态，用于不含它的格式。",
    "KEY=VALUE of a template.": "模板参数 KEY=VALUE。",
    "Where a file names no region.": "文件未写明区域时采用的区域。",
    "Nodes that pods run on: aws/g5.xlarge@us-east-1:spot.": (
        "Pod 运行的节点：aws/g5.xlarge@us-east-1:spot。"
    ),
    "Folder of a root module: places of a plan's resources in its sources.": (
        "根模块所在文件夹：用于给出 plan 中资源在源码里的位置。"
    ),
    "Leave out files of no known format, for hooks.": "略过未知格式的文件，用于钩子。",
    "Largest file to read.": "读取文件的大小上限。",
    "Policy file, or git:REF:PATH; .gpuadvisor.yaml by default.": (
        "策略文件或 git:REF:PATH；默认为 .gpuadvisor.yaml。"
    ),
    "Per cent of the cost before.": "相对变更前成本的百分比。",
    "Stops removals by mistake.": "防止误删。",
    "Budget not to be crossed from below.": "不得由下而上突破的预算。",
    "Most for one resource an hour.": "单个资源每小时的上限。",
    "Devices in total, from below.": "加速卡总数上限（由下而上）。",
    "warn, fail (exit 4) or ignore.": "warn、fail（退出码 4）或 ignore。",
    "A limit only the maximum breaks: warn, fail, ignore.": (
        "仅最大数量超限时：warn、fail 或 ignore。"
    ),
    "fail, or warn to fail on warnings too.": "fail；warn 则警告也算失败。",
    "Report, but exit 0.": "只报告，以 0 退出。",
    "Days; older prices fail.": "天数；更旧的价格视为失败。",
    "What `check --output json=FILE` wrote.": "`check --output json=FILE` 写出的文件。",
    "github or gitlab; by default where the job runs.": "github 或 gitlab；默认为作业所在平台。",
    "OWNER/NAME or project; by default the job's.": "OWNER/NAME 或项目；默认为作业所属。",
    "Its number; by default the event's.": "编号；默认取自事件。",
    "Tells several comments on one request apart.": "区分同一请求上的多条评论。",
    "Comment even if no accelerator changes.": "即使加速卡没有变更也发表评论。",
    "Comment on changes of at least so much a month.": "每月变化至少达到此金额才评论。",
    "Print the comment and post nothing.": "只打印评论，不发表。",
    # catalogs, rules, backtest
    "Instance type, device or partition.": "实例类型、加速卡或切片。",
    "Prices of these regions only.": "只看这些区域的价格。",
    "Prices of these instance types only.": "只看这些实例类型的价格。",
    "Folder of YAML; by default the catalogs in use.": "YAML 文件夹；默认为在用目录。",
    "aws@latest, which is the default.": "aws@latest，即默认值。",
    "Largest changes to show.": "显示变化最大的条数。",
    "These regions only; the rest stays.": "只更新这些区域；其余保留。",
    "on_demand,spot,reserved,savings_plan,shapes … only.": (
        "只更新 on_demand、spot、reserved、savings_plan、shapes …。"
    ),
    "Write there, not into the catalogs in use.": "写到该处，而不是在用目录。",
    "Show what would change; write nothing.": "只显示将发生的变化，不写入。",
    "Compare with and carry over from this version.": "与此版本比较并沿用其内容。",
    "Put large moves, vanished types, changed counts in place.": (
        "接受大幅变动、消失的类型和数量变化。"
    ),
    "Print what an account must allow.": "打印账号须具备的权限。",
    "Google Cloud project whose APIs are asked.": "用于访问 API 的 Google Cloud 项目。",
    "Azure subscription for the VM sizes.": "用于查询虚拟机大小的 Azure 订阅。",
    "AWS: the public files, even where credentials are found.": (
        "AWS：即使找到凭证，也只读取公开文件。"
    ),
    "Time for all of it: 30min, 2h.": "全部所需的时限：30min、2h。",
    "Requests at once.": "并发请求数。",
    "Kind of file (shapes, prices …) or output/COMMAND (output/estimate); else all.": (
        "文件种类（shapes、prices …）或 output/命令（output/estimate）；未给出则全部。"
    ),
    "Rules of one policy: default, seed.": "某一策略的规则：default、seed。",
    "A rule's id, such as fit.bf16.": "规则 id，例如 fit.bf16。",
    "A YAML file of rules with cases.": "带用例的规则 YAML 文件。",
    (
        "Measurements: group, device, workload_class, value, higher_is_better and, where known,"
        " workload, precision, software, source."
    ): (
        "实测数据：group、device、workload_class、value、higher_is_better，"
        "以及（如有）workload、precision、software、source。"
    ),
    # init
    "Clouds to ask; aws,gcp or repeated.": "考察的云厂商；aws,gcp 或重复给出。",
    "Regions or parts of the world (eu, us).": "区域或世界的一部分（eu、us）。",
    "Currency of answers and bare amounts.": "结果和未注明货币的金额所用的货币。",
    "What a change may add a month: 2000EUR.": "一次变更每月可增加的金额：2000EUR。",
    "Where to write; - is stdout.": "写到何处；- 为标准输出。",
    "Replace a file that is there.": "替换已有的文件。",
}
