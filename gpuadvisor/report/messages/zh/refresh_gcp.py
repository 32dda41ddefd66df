"""Chinese texts of the refresh of Google Cloud."""

from __future__ import annotations

ZH: dict[str, str] = {
    "refresh_gcp.no_parts": "Google Cloud 没有所要求的购买方式；可选：{parts}",
    "refresh_gcp.no_extra": (
        "未安装 Google 客户端：pip install 'gpuadvisor[gcp]'；若只需价格，"
        "在 GPUADVISOR_GCP_API_KEY 中给出 API 密钥即可"
    ),
    "refresh_gcp.no_key": (
        "Cloud Billing Catalog 需要 GPUADVISOR_GCP_API_KEY 中的 API 密钥；或先执行"
        " pip install 'gpuadvisor[gcp]'，再执行 gcloud auth application-default login"
    ),
    "refresh_gcp.no_credentials": (
        "未找到 Google 凭据：执行 gcloud auth application-default login；若只需价格，"
        "也可在 GPUADVISOR_GCP_API_KEY 中给出 API 密钥"
    ),
    "refresh_gcp.no_project": "用哪个项目？请指定一个已启用 Compute Engine API 的项目",
    "refresh_gcp.status": "Google API 返回状态码 {status}",
    "refresh_gcp.failed": "无法访问 Google API（{kind}）",
    "refresh_gcp.not_skus": "Cloud Billing Catalog 返回的一页不是 SKU 列表",
    "refresh_gcp.page_twice": (
        "Cloud Billing Catalog 有一页返回了两次，另一页可能因此丢失：请稍后重试"
    ),
    "refresh_gcp.page_circle": "Google 返回的分页首尾相接，没有终点",
    "refresh_gcp.silent": "以下可用区没有应答：{zones}",
    "refresh_gcp.no_zones": (
        "未读取可用区：只为目录中已有的实例类型与区域合成价格，看不到新增的实例类型与区域"
    ),
    "refresh_gcp.role": (
        "用于读取实例类型的自定义角色（gcloud iam roles create gpuadvisorRefresh"
        " --project PROJECT --file role.yaml）"
    ),
    "refresh_gcp.key": (
        "用于读取价格的 API 密钥，只能调用 Cloud Billing API（POST"
        " https://apikeys.googleapis.com/v2/projects/PROJECT/locations/global/keys 的请求体）"
    ),
}
