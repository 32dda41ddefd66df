"""Texts of the refresh of Google Cloud."""

from __future__ import annotations

EN: dict[str, str] = {
    "refresh_gcp.no_parts": "Google Cloud sells none of these; it has {parts}",
    "refresh_gcp.no_extra": (
        "Google's client is not installed: pip install 'gpuadvisor[gcp]'; prices alone need only"
        " an API key in GPUADVISOR_GCP_API_KEY"
    ),
    "refresh_gcp.no_key": (
        "the Cloud Billing Catalog needs an API key in GPUADVISOR_GCP_API_KEY, or"
        " pip install 'gpuadvisor[gcp]' and gcloud auth application-default login"
    ),
    "refresh_gcp.no_credentials": (
        "no Google credentials were found: gcloud auth application-default login, or for prices"
        " alone an API key in GPUADVISOR_GCP_API_KEY"
    ),
    "refresh_gcp.no_project": "which project? name one whose Compute Engine API is on",
    "refresh_gcp.status": "Google's API answered with status {status}",
    "refresh_gcp.failed": "Google's API could not be asked ({kind})",
    "refresh_gcp.not_skus": "the Cloud Billing Catalog sent a page that is no list of SKUs",
    "refresh_gcp.page_twice": (
        "the Cloud Billing Catalog sent a page twice, so another may be lost: try again later"
    ),
    "refresh_gcp.page_circle": "the pages of Google's answer go in a circle",
    "refresh_gcp.silent": "zones that did not answer: {zones}",
    "refresh_gcp.no_zones": (
        "the zones were not read: prices are composed for the types and regions of the catalog,"
        " so new ones are not seen"
    ),
    "refresh_gcp.role": (
        "Custom role for machine types (gcloud iam roles create gpuadvisorRefresh"
        " --project PROJECT --file role.yaml)"
    ),
    "refresh_gcp.key": (
        "API key for prices, good for the Cloud Billing API alone (body of POST"
        " https://apikeys.googleapis.com/v2/projects/PROJECT/locations/global/keys)"
    ),
}
