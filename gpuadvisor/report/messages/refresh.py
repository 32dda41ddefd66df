"""Texts of `catalog refresh`: why a region is missing, progress, and what was found."""

from __future__ import annotations

EN: dict[str, str] = {
    # -- why a task could not be done
    "refresh.bad_address": "{address}: not an http or https address",
    "refresh.bad_redirect": "{address} sends on to a place that is not as safe",
    "refresh.cut_short": "{address}: the answer broke off",
    "refresh.deadline": "{address}: the refresh's time was up (--deadline)",
    "refresh.long_line": "{address}: a line is longer than any of a price list",
    "refresh.half_read": (
        "{provider} joins two lists, and one of them is missing; no price can be made of the other"
    ),
    "refresh.no_connection": "{address}: no connection within {seconds} s",
    "refresh.no_such_host": "{address}: the name of the host was not found",
    "refresh.no_version": "{page} no longer names the version of the price list",
    "refresh.not_json": "{address}: the answer is no JSON",
    "refresh.other_form": "{address}: the list has another form than is known",
    "refresh.out_of_time": "the refresh's time was up (--deadline)",
    "refresh.proxy": "{address}: the proxy refused or cannot be reached",
    "refresh.refused": "{address}: the connection was refused or reset",
    "refresh.sdk_code": "{kind} ({code})",
    "refresh.sdk_error": "{kind}",
    "refresh.silent": "{address}: {seconds} s without a byte",
    "refresh.status": "{address} answered with status {status}",
    "refresh.tls": "{address}: the certificate is not trusted, or it speaks no TLS",
    "refresh.too_large": "{address}: more than {limit} bytes",
    # -- why the whole could not be done
    "refresh.bad_endpoint": (
        "the address in place of {name} must begin with https:// (http only on this machine)"
    ),
    "refresh.bad_part": "unknown part `{part}` in --only; parts are {known}",
    "refresh.before_newest": (
        "--today {today} lies before the newest version {version}, which would stay in use"
    ),
    "refresh.changed_meanwhile": "{path} was changed while the refresh ran; run it again",
    "refresh.interrupted": (
        "interrupted; the catalog is as it was, and the same command goes on where this one stopped"
    ),
    "refresh.missing_extra": (
        "the module `{module}` is not installed: pip install 'gpuadvisor[{extra}]'"
    ),
    "refresh.no_parts": "{provider} has no such feed; --only takes {parts}",
    "refresh.no_provider": "name a provider to refresh: {known}",
    "refresh.not_sound": (
        "what the refresh made has {count} fault(s); nothing was put in place, the old catalog"
        " stays"
    ),
    "refresh.nothing_found": (
        "{provider}: {tasks} part(s) were read and hold no price and no type; nothing was written"
    ),
    "refresh.nothing_reached": "{provider}: no region was reached, nothing was written ({reasons})",
    "refresh.taken": "{path} was made by another refresh meanwhile; run it again",
    "refresh.unwritable": "{path} cannot be written: {reason}",
    # -- progress
    "refresh.all_regions": "all regions",
    "refresh.bar_total": "{provider}",
    "refresh.line_planned": "{provider}: {tasks} part(s) in {regions} region(s)",
    "refresh.line_lists": "{provider}: {tasks} list(s) of all regions",
    "refresh.line_done": "{provider} {region}: {parts} ({seconds} s)",
    "refresh.line_kept": "{provider} {region}: {parts}, kept from an earlier run",
    "refresh.line_missing": "{provider} {region}: {part} missing: {reason}",
    # -- comments in files
    "refresh.head_made": "Made by `{command}` on {today} from version {previous}.",
    "refresh.head_read": (
        "Read anew, with the number of regions: {read}. Carried over with their sources and"
        " dates: {carried} prices."
    ),
    "refresh.head_carried": (
        "What holds for prices carried over is said in the comment of version {version}."
    ),
    "refresh.overlay_head": (
        "{provider}: types that `gpuadvisor catalog refresh` found new or changed."
    ),
    # -- the answer
    "refresh.written": "{provider} {version} is in use: prices up to {as_of}.",
    "refresh.written_apart": (
        "{provider} {version} is written, prices up to {as_of}; commands read it with"
        " --catalog {root}."
    ),
    "refresh.same": (
        "{provider} {version} is up to date: the cloud says the same, nothing was written."
    ),
    "refresh.dry_run": "{provider} {version} would be written (--dry-run: nothing was).",
    "refresh.refused_head": (
        "{provider}: nothing was put in place, because it changes more than a refresh may without"
        " consent."
    ),
    "refresh.counts": (
        "Prices: {confirmed} seen unchanged, {changed} changed, {added} new, {gone} gone, {carried}"
        " carried over unseen."
    ),
    "refresh.look": "Needs a look before it is merged:",
    "refresh.look_moved": "{type} {option} {region}: {before} -> {after} ({change})",
    "refresh.doubt_moved": "{count} price(s) moved more than {percent} %:",
    "refresh.doubt_thinned": "{count} region(s) lost most of their prices of an option:",
    "refresh.thinned": "{region} {option}: {gone} of {before} prices are gone",
    "refresh.doubt_vanished": "{count} type(s) have no price any more: {types}",
    "refresh.doubt_shapes": (
        "{count} type(s) changed in device, count, memory or how they are sold:"
    ),
    "refresh.new_types": "New types with a price: {types}",
    "refresh.shape_new": "{type}: new, {devices} x {device}",
    "refresh.shape_changed": "{type}: {fields}",
    "refresh.field": "{name} {before} -> {after}",
    "refresh.shapes": "Types new or changed ({count}):",
    "refresh.missing": "Missing, carried over as it was ({count}):",
    "refresh.missing_line": "{place}: {reason}",
    "refresh.puzzles": "Seen but not understood ({count}):",
    "refresh.puzzle": "{kind} {name}{where}{detail}",
    "refresh.kind_device": "device",
    "refresh.kind_family": "family",
    "refresh.kind_region": "region",
    "refresh.kind_sku": "SKU",
    "refresh.kind_price": "price",
    "refresh.and_more": "and {count} more (--format json lists all)",
    "refresh.resumed": "{kept} of {tasks} part(s) were kept from an earlier run.",
    "refresh.files": "Files in {root}: {files}",
    "refresh.next_diff": "Next: {command}",
    "refresh.next_accept": "Look at these; where they are right: {command}",
    "refresh.no_permissions": "{provider}: its prices are public, no account is needed",
}
