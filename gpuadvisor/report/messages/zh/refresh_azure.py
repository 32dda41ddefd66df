"""Chinese texts of the refresh of Azure."""

from __future__ import annotations

ZH: dict[str, str] = {
    "refresh_azure.no_parts": "Azure 没有所要求的购买方式；可选：{parts}",
    "refresh_azure.no_subscription": "实例类型规格须从订阅中读取：请指定一个订阅",
    "refresh_azure.no_extra": (
        "未安装 Microsoft 客户端：pip install 'gpuadvisor[azure]'；读取价格既不需要它，也无需登录"
    ),
    "refresh_azure.no_credentials": (
        "未找到 Azure 凭据：执行 az login，或配置 DefaultAzureCredential 支持的凭据"
    ),
    "refresh_azure.status": "Azure API 返回状态码 {status}",
    "refresh_azure.failed": "无法访问 Azure API（{kind}）",
    "refresh_azure.not_prices": "Retail Prices API 返回的一页不是美元价格列表",
    "refresh_azure.page_twice": "Azure 的应答中有一页返回了两次：请稍后重试",
    "refresh_azure.page_lost": (
        "Retail Prices API 的一页没有接续上一页的末尾，部分行因此丢失：请稍后重试"
    ),
    "refresh_azure.odd_link": "Azure 的应答中有一个分页链接指向别处，未予访问",
    "refresh_azure.shapes_unread": "未指定订阅：只读取了价格，新增的实例类型列在待确认的问题中",
    "refresh_azure.role": (
        "用于读取实例类型规格的自定义角色"
        "（az role definition create --role-definition role.json）；"
        "读取价格无需登录"
    ),
}
