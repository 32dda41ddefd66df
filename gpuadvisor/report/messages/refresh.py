"""Texts of `catalog refresh`: why a region is missing, progress, and what was found."""

from __future__ import annotations

EN: dict[str, str] = {
    # -- why a task could not be done
    "refresh.bad_address": "{address}: not an http or https address",
    "refresh.bad_redirect": "{address} sends on to a place that is not as safe",
    "refresh.cut_short": "{address}: the answer broke off",
    "refresh.deadline": "{address}: the refresh's time was up",
    "refresh.long_line": "{address}: a line is longer than any of a price list",
    "refresh.no_connection": "{address}: no connection within {seconds} s",
    "refresh.no_such_host": "{address}: the name of the host was not found",
    "refresh.not_json": "{address}: the answer is no JSON",
    "refresh.proxy": "{address}: the proxy refused or cannot be reached",
    "refresh.refused": "{address}: the connection was refused or reset",
    "refresh.silent": "{address}: {seconds} s without a byte",
    "refresh.status": "{address} answered with status {status}",
    "refresh.tls": "{address}: the certificate is not trusted, or it speaks no TLS",
    "refresh.too_large": "{address}: more than {limit} bytes",
}
