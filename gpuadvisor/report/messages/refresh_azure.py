"""Texts of the refresh of Azure."""

from __future__ import annotations

EN: dict[str, str] = {
    "refresh_azure.no_parts": "Azure sells none of these; it has {parts}",
    "refresh_azure.no_subscription": "shapes are read from a subscription: name one",
    "refresh_azure.no_extra": (
        "Microsoft's client is not installed: pip install 'gpuadvisor[azure]'; prices need neither"
        " it nor a login"
    ),
    "refresh_azure.no_credentials": (
        "no Azure credentials were found: az login, or those of DefaultAzureCredential"
    ),
    "refresh_azure.status": "Azure's API answered with status {status}",
    "refresh_azure.failed": "Azure's API could not be asked ({kind})",
    "refresh_azure.not_prices": "the Retail Prices API sent a page that is no price list in USD",
    "refresh_azure.page_twice": "a page of Azure's answer came twice: try again later",
    "refresh_azure.page_lost": (
        "a page of the Retail Prices API does not go on where the last one ended, so rows are lost:"
        " try again later"
    ),
    "refresh_azure.odd_link": "a link in Azure's answer leads elsewhere; it was not followed",
    "refresh_azure.shapes_unread": (
        "no subscription was named: prices alone were read, new sizes stand among the questions"
    ),
    "refresh_azure.role": (
        "Custom role for sizes (az role definition create --role-definition role.json); prices need"
        " no login"
    ),
}
