"""Texts of `catalog diff`."""

from __future__ import annotations

EN: dict[str, str] = {
    "catalog_diff.headline": (
        "From {before} to {after} {changed} prices on demand changed and {same} stayed; {added}"
        " types are new, {removed} are gone."
    ),
    "catalog_diff.dates": "Prices up to {before} and up to {after}, in {currency} an hour.",
    "catalog_diff.movers": (
        "Largest changes, by type and option ({shown} of {all}; +n: in n more regions):"
    ),
    "catalog_diff.by_family": "By family",
    "catalog_diff.by_region": "By region, on demand",
    "catalog_diff.families": "By family, {option}:",
    "catalog_diff.regions": "By region, on demand (changed/same/new/gone): {body}",
    "catalog_diff.new": "New types: {types}",
    "catalog_diff.gone": "Types without a price any more: {types}",
    "catalog_diff.incomparable": (
        "{count} spot prices were measured in another way (a single zone, the region's lowest, a"
        " mean) and are left out of the ranges."
    ),
    "catalog_diff.and_regions": "{region} +{count}",
    "catalog_diff.rest": "{families} other families: {same} same, {added} new, {removed} gone",
    "catalog_diff.rest_all": "{families} families: {same} same, {added} new, {removed} gone",
    "catalog_diff.unchanged": "unchanged",
    "catalog_diff.range": "{least} to {most}",
    "catalog_diff.col_type": "type",
    "catalog_diff.col_region": "region",
    "catalog_diff.col_option": "option",
    "catalog_diff.col_before": "before",
    "catalog_diff.col_after": "after",
    "catalog_diff.col_change": "change",
    "catalog_diff.col_family": "family",
    "catalog_diff.col_changed": "changed",
    "catalog_diff.col_same": "same",
    "catalog_diff.col_added": "new",
    "catalog_diff.col_removed": "gone",
}
