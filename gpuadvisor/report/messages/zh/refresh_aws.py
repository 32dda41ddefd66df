"""Texts of `catalog refresh aws`."""

from __future__ import annotations

ZH: dict[str, str] = {
    # -- why a task could not be done
    "refresh_aws.bad_credentials": "{region}：无法从 AWS 配置指定的位置取得凭证；请重新登录",
    "refresh_aws.endless": "{region}：应答反复返回同一页",
    "refresh_aws.expired": "{region}：凭证已过期或无效（{code}）",
    "refresh_aws.forbidden": "{region}：该账户无权执行此操作（{code}）；参见 "
    "gpuadvisor catalog refresh aws --show-permissions",
    "refresh_aws.garbled": "{region}：应答中断或已损坏（{code}）",
    "refresh_aws.no_credentials": "{region}：没有完整的凭证",
    "refresh_aws.no_page": "{region}：定价页面未列出该区域",
    "refresh_aws.no_savings_plans": "{region}：该区域未发布 Savings Plans 文件",
    "refresh_aws.not_opted_in": "{region}：该区域拒绝此账户（{code}）：需先启用该区域，或凭证无效",
    "refresh_aws.nothing_found": "{what}（{region}）：其中没有任何已知实例类型的价格",
    "refresh_aws.refused": "{region}：调用失败（{code}）",
    "refresh_aws.strange": "{what}（{region}）：应答不是已知的格式",
    "refresh_aws.throttled": "{region}：请求过多，等待后仍被限流（{code}）",
    "refresh_aws.timed_out": "{region}：未在规定时间内应答",
    "refresh_aws.unreachable": "{region}：无法连接",
    # -- what to say beside the result
    "refresh_aws.keyless": "没有 AWS 账户时，{parts} 保持原样：没有公开文件包含这些数据",
    "refresh_aws.not_launched": "{region}：价目表列有 {type}，但未见当地任何可用区能启动它；已略去",
    "refresh_aws.offers_unknown": "{region}：价格中可能包含当地无法启动的类型，"
    "因为无法读取可用类型列表（{why}）",
    "refresh_aws.policy": "刷新所需的 IAM 策略：仅含读取调用；不刷新的部分，其语句可以删去",
    # -- wrong requests
    "refresh_aws.needs_account": "{parts}：只能向 AWS 账户查询，但没有找到凭证，或指定不使用凭证"
    "（请执行 pip install 'gpuadvisor[aws]'，然后配置 AWS CLI 或设置 AWS_PROFILE）",
    "refresh_aws.no_such_part": "AWS 不出售其中任何一种；可选：{parts}",
}
