"""Chinese texts of `doctor`."""

from __future__ import annotations

ZH: dict[str, str] = {
    "doctor.sound": (
        "截至 {today} 一切正常：共有 {providers} 家厂商的价格，其中 {old} 家的价格较旧。"
    ),
    "doctor.broken": "有 {count} 部分无法读取，原因见下。",
    "doctor.label_program": "程序",
    "doctor.label_packages": "依赖包",
    "doctor.label_base": "目录",
    "doctor.label_cache": "缓存",
    "doctor.label_config": "配置",
    "doctor.label_variables": "环境变量",
    "doctor.label_extras": "可选组件",
    "doctor.label_credentials": "凭证",
    "doctor.program": "gpuadvisor {version}，Python {python}，平台 {platform}",
    "doctor.absent": "未安装",
    "doctor.none": "无",
    "doctor.checkout": "源码检出中的 YAML：{path}",
    "doctor.wheel": "已编译：{path}",
    "doctor.cache": "{path}（{mib} MiB）",
    "doctor.cache_readonly": "{path} 不可写：改用临时目录下的文件夹，或不使用缓存",
    "doctor.cache_none": "没有主目录，因此没有缓存：每次运行都要重新编译 YAML 目录",
    "doctor.config": "{path}，设置了：{keys}",
    "doctor.config_none": "在当前目录及其上级（直到仓库根目录）均未找到；可用 init 生成",
    "doctor.config_fault": "无法读取，见下",
    "doctor.extras_all": "{there}",
    "doctor.extras": "{there}；未安装：{absent}（pip install 'gpuadvisor[{names}]'）",
    "doctor.found": "{cloud}：{places}",
    "doctor.not_found": "{cloud}：无；刷新时读取公开价格",
    "doctor.not_found_gcp": "{cloud}：无；刷新至少需要一个 API 密钥",
    "doctor.age": "{provider} {as_of}（{days} 天）",
    "doctor.ages_fresh": "价格可直接采用：{body}",
    "doctor.ages_warn": "价格较旧，会给出提醒：{body}",
    "doctor.ages_widen": "价格过旧，区间会放宽：{body}",
}
