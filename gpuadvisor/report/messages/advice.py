"""Texts of the advice room: what was assumed, why candidates fell out, what would change it."""

from __future__ import annotations

EN: dict[str, str] = {
    "advice.faults": "{first}; {rest}",
    "advice.unknown_field": "unknown field `{field}` in the request; nearest: {nearest}",
    "advice.bad_field": "{flag} {value}: expected {expected}",
    "advice.expect_name": "a name",
    "advice.expect_number": "a number above 0 and below 1e18",
    "advice.expect_count": "a whole number from 1 to 1,000,000",
    "advice.expect_share": "a share such as 12% or 0.12",
    "advice.expect_duration": "a duration such as 100ms, 1.5s, 12h or 30d",
    "advice.expect_flag": "true or false",
    "advice.expect_discount": "provider=share, such as aws=12%",
    "advice.expect_date": "a date such as 2026-11-30",
    "advice.expect_api_price": "a price per million tokens in and out, such as 0.15/0.60",
    "advice.expect_config": "the mapping of a config.json",
    "advice.expect_part": "a share above 0 and at most 1",
    "advice.expect_percentage": "a percentage such as 25",
    "advice.expect_price": "provider/type@region:option=price, or option=price",
    "advice.demand_needs_workload": "{flag} needs --workload, which says what a unit of work is",
    "advice.relative_only": (
        "{flag}: no absolute rate of {workload} ({mode}) was ever published, only ratios between"
        " devices, so it cannot be sized; leave {flag} out, or choose the other mode"
    ),
    "advice.region_elsewhere": "no region of {providers} lies in `{region}`",
    "advice.region_shared": (
        "{region} is a region of {providers}; --region {one}/{region} asks for one of them"
    ),
    "advice.regions_asked": "regions: {regions}",
    "advice.regions_reference": "each provider's reference region (--region changes it)",
    "advice.options_spot": (
        "on demand and spot, because the work may be interrupted and has no latency target"
    ),
    "advice.options_latency": "on demand only, because there is a latency target",
    "advice.options_fixed": "on demand only, because the work must not be interrupted",
    "advice.memory_assumed": (
        "one replica needs {memory} GiB of device memory ({basis}: {what});"
        " --model-memory changes it"
    ),
    "advice.rate_and_users": "--qps and --concurrency both say how much is asked: give one of them",
    "advice.not_generative": "{model} does not generate text: {workload} serves language models",
    "advice.not_a_language_model": "{flag} is about language models; {workload} serves none",
    "advice.no_method": "--method is about fine-tuning (--workload llm-finetune), not {workload}",
    "advice.no_such_method": "--method {method}: its speed is unknown; known: {known}",
    "advice.llm_model": (
        "{title} in {precision}: {weights} GiB of weights, {cache} B of cache a token"
    ),
    "advice.llm_lengths": "{tokens_in} tokens in and {tokens_out} out a request",
    "advice.llm_lengths_assumed": (
        "{tokens_in} tokens in and {tokens_out} out a request, where unset as in the profile"
        " (--input-tokens, --output-tokens)"
    ),
    "advice.llm_rate": "{requests} requests a second are {tokens} tokens of answers a second",
    "advice.llm_users": "{users} users who ask again as soon as they are answered",
    "advice.pretrain_model": (
        "{title}: {params} B parameters in {layers} layers of {hidden}, sequences of {context},"
        " {precision}, {sharding}; {flops} operations in all"
    ),
    "advice.pretrain_size": (
        "{params} B parameters, taken to be {layers} layers of {hidden} as GPT-3's are, sequences"
        " of {context}, {precision}, {sharding}; {flops} operations in all"
    ),
    "advice.pretrain_timed": (
        "timed by operations and the share of the peak that such training reaches, less the"
        " exchange that compute does not hide; one zone, all nodes at once"
    ),
    "advice.cure_local": (
        "copy the samples to local NVMe before the start (in the price of the instance)"
    ),
    "advice.cure_disk": (
        "give the disk more throughput, about {monthly} USD a month for each instance at the price"
        " of AWS gp3"
    ),
    "advice.cure_network": (
        "read from a parallel file system or an object store, several readers at once (--storage"
        " prices it)"
    ),
    "advice.cure_memory": "keep the samples in host memory, or take a larger instance",
    "advice.cure_cores": (
        "decode on the GPU, or store decoded samples (5.5 times as fast a vCPU in FFCV, for more"
        " bytes): no cost beside storage"
    ),
    "advice.no_samples": ("{flag} is for work in samples whose speed is known, not for {workload}"),
    "advice.sample_size_needed": "--data-on needs --sample-kb, the size of one {unit}",
    "advice.not_a_training": ("{flag} is for training from scratch ({known}), not for {workload}"),
    "advice.tokens_and_samples": "give --tokens or --samples, not both",
    "advice.params_and_model": "give --params or --model, not both",
    "advice.params_needed": "{workload} needs --params or --model to be timed by its operations",
    "advice.no_layers": "{model} has no known layers: give --params instead",
    "advice.llm_training": (
        "{title} by {method}, micro-batch {batch} x {context} tokens: {need} GiB on one device,"
        " {share} times the speed of the measured run"
    ),
    "advice.model_memory": (
        "{title} needs {memory} GiB of device memory, one at a time; speeds stay those of the"
        " workload's own model"
    ),
    "advice.slices_used": "{held} slices of {partition} paid, {used} used: the price is the card's",
    "advice.api_break_even": (
        "an API at {price} a million tokens in/out costs as much as {type} at {tokens} million"
        " output tokens a month ({share} of the {most} million that it can make); beyond that"
        " renting wins"
    ),
    "advice.api_never": (
        "an API at {price} a million tokens in/out stays cheaper than {type}: break-even lies at"
        " {tokens} million output tokens a month, and it makes at most {most} million"
    ),
    "advice.fraction_share": (
        "{share} of one {device} is guaranteed, up to {best} only while its neighbours idle"
    ),
    "advice.unserved": (
        "nothing of known speed serves this demand, and the speed of what is shown is unknown"
    ),
    "advice.unsized": "no speed is known: one is priced, whatever the demand takes",
    "advice.cpu_enough": (
        "the demand keeps {type} busy {share} of the time: processors alone, or a service that"
        " scales to zero, may be enough [cpu.enough]"
    ),
    "advice.streams": "{streams} streams in real time are {streams} {units} a second",
    "advice.cold_start": (
        "a new replica answers after about {seconds} s: boot 32 s, {weights} GB of weights at"
        " 0.32 GB/s (one reader on gp3), engine 20 s; what must be met meanwhile has to be warm"
    ),
    "advice.stale_price": "price of {date}, {days} days old",
    "advice.unofficial_price": "price from a {confidence} source",
    "advice.interruption": "spot: {bucket} interrupted in a month",
    "advice.paid_used": "{paid} paid, {used} used",
    "advice.rule_note": "{text}",
    "advice.no_speed": "no measured speed: {reason}; ranked by price alone",
    "advice.all_stale": "all prices shown are old, the oldest of {date}",
    "advice.best_official": (
        "rank 1 rests on a price that is not the provider's own; the best official one is rank"
        " {rank}: {provider} {type}, {option}, {monthly} {currency} a month"
    ),
    "advice.reject_retired": "{count} retired types, such as {nearest}: they cannot be started",
    "advice.reject_not_sold": (
        "{count} types not sold on these purchase options, such as {nearest}"
    ),
    "advice.reject_price_scope": (
        "{count} types whose price covers the device alone, such as {nearest}: not comparable"
    ),
    "advice.reject_device": "{count} types with another device than asked for, such as {nearest}",
    "advice.reject_software": (
        "{count} types need another software stack (--software), such as {nearest}"
    ),
    "advice.reject_arch": "{count} types have another processor architecture, such as {nearest}",
    "advice.reject_gpu_memory": "{count} types have too little memory a device, such as {nearest}",
    "advice.reject_model_memory": "{count} types cannot hold one replica, such as {nearest}",
    "advice.reject_vcpus": "{count} types have too few vCPU, such as {nearest}",
    "advice.reject_host_memory": "{count} types have too little host memory, such as {nearest}",
    "advice.reject_link": "{count} types lack the link between devices, such as {nearest}",
    "advice.reject_tensor_link": (
        "{count} types without NVLink, over which no layer is split, such as {nearest}: {why}"
    ),
    "advice.reject_unsuited": "{count} types cannot do this work at all, such as {nearest}",
    "advice.reject_rule": "{count} types by rule {rule}, such as {nearest}: {why}",
    "advice.reject_no_price": (
        "{count} types without a price here, such as {nearest} (--region any looks elsewhere)"
    ),
    "advice.reject_too_old": "{count} types whose price is older than --max-age, such as {nearest}",
    "advice.storage_beside": "storage and traffic are told beside, not ranked by",
    "advice.reject_interrupted": (
        "{count} types are sold on spot alone, where the run hardly finishes in time, such as"
        " {nearest}"
    ),
    "advice.spot_may_be_late": "with many interruptions done only after {high} h",
    "advice.reject_size": "{count} types cannot meet the demand, such as {nearest}",
    "advice.reject_latency": (
        "{count} types need longer for a single request than the target, such as {nearest}"
    ),
    "advice.reject_budget": "{count} types cost more than the budget, the cheapest is {nearest}",
    "advice.flip_ratio": (
        "{type} ({device}) would lead if it did {factor} times as much for its price as estimated"
    ),
    "advice.flip_tied": (
        "{type} ({device}) costs {factor} times as much as {first} for the same work by expected"
        " speeds, closer than the speed model can tell apart: measure both"
    ),
    "advice.flip_batched": (
        "--batched: cost per unit of work then orders the devices {then} (now {now})"
    ),
    "advice.flip_unbatched": (
        "--no-batched: cost per unit of work then orders the devices {then} (now {now})"
    ),
    "advice.flip_spot": "with --purchase on_demand the order is that of the on-demand prices",
    "advice.prepaid_fits": (
        "paid by the month in advance these come under the budget too, at {currency} a month:"
        " {types}; prices of {date} (--purchase subscription)"
    ),
    "advice.other_software": (
        "outside CUDA the cheapest is {type} ({device}) at {price} {currency} an hour; code must be"
        " ported to {software}, and its speed here is unknown (--software {software})"
    ),
}
