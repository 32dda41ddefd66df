"""The least that a refresh of Google Cloud needs."""

from __future__ import annotations

from gpuadvisor.catalog.message import message
from gpuadvisor.refresh.interface import Permission

_ROLE = """\
title: gpuadvisor refresh
description: Lists machine types and accelerator types; reads nothing that belongs to the project.
stage: GA
includedPermissions:
- compute.acceleratorTypes.list
- compute.machineTypes.list
"""
_KEY = """\
{
  "displayName": "gpuadvisor refresh",
  "restrictions": {
    "apiTargets": [
      {"service": "cloudbilling.googleapis.com"}
    ]
  }
}
"""
PERMISSIONS = (
    Permission(message("refresh_gcp.role"), _ROLE),
    Permission(message("refresh_gcp.key"), _KEY),
)
"""List prices need no role: an API key that can call the Cloud Billing API alone is enough."""
