"""Texts of `fit`."""

from __future__ import annotations

EN: dict[str, str] = {
    "fit.no_model": (
        "fit: name a model (--model llama-3-8b), a file (--config config.json), or its size"
        " (--params 7B, with --layers --hidden --heads --kv-heads --head-dim for the cache)"
    ),
    "fit.uneven": "--gpus {gpus}: {heads} attention heads cannot be split evenly by that many",
    "fit.not_split": (
        "--gpus {gpus}: {model} is not split over devices to be served, each holds it whole; leave"
        " --gpus out"
    ),
    "fit.two_models": "--model and --config both name a model: give one of them",
    "fit.needs_train": "{flag} is about training: add --train",
    "fit.train_precision": "--precision {value}: training runs in {allowed}",
    "fit.unknown_model": "unknown model {name}; nearest: {nearest}",
    "fit.bad_config": "config.json: {key} is {value}: expected a whole number above 0",
    "fit.no_devices": "fit: no such device is rented out by these providers on this software",
    "fit.config_unreadable": "{file} is no config.json: {reason}",
    "fit.fits": (
        "{title} {what} needs {total} GiB{each} and fits on {devices} of {considered} devices;"
        " the smallest is {smallest}{slice}."
    ),
    "fit.at_least": "at least {total}",
    "fit.or_slice": ", the smallest slice {name}",
    "fit.fits_nowhere": (
        "{title} {what} needs {total} GiB a device and fits on none of the {considered} devices"
        " considered{largest}."
    ),
    "fit.largest": " ({name} has room for {room} GiB)",
    "fit.each_of": " on each of {count}",
    "fit.what_serving": "in {precision}, {batch} x {context} tokens,",
    "fit.what_items": "in {precision}, batch {batch},",
    "fit.what_training": (
        "trained ({method}, {precision}, {optimizer}{sharding}), batch {batch} x {context},"
    ),
    "fit.part_weights": "weights",
    "fit.part_cache": "KV cache",
    "fit.part_activations": "activations",
    "fit.part_gradients": "gradients",
    "fit.part_optimizer": "optimiser states",
    "fit.part_overhead": "overhead",
    "fit.part_total": "total",
    "fit.per_token": "{bytes} B a token",
    "fit.bill": "GiB a device: {parts} = {total}",
    "fit.column_device": "device",
    "fit.column_count": "n",
    "fit.column_usable": "usable",
    "fit.column_headroom": "free",
    "fit.column_tokens": "cached tokens",
    "fit.column_batch": "batch <=",
    "fit.column_context": "context <=",
    "fit.column_rented": "smallest instance",
    "fit.more_rows": "… and {count} more: --format json or csv, or --device",
    "fit.slices_held": (
        "xN: so many of these slices stand on one card, each with its own copy; the cloud sells"
        " the whole card."
    ),
    "fit.to_need_less": "To need less (GiB a device)",
    "fit.change": "{saves} saved, {total} left: {text}{fits}",
    "fit.change_fits": "; fits on {name}",
    "fit.assumed": "Assumed: {assumptions}.",
    "fit.assume_room": (
        "{utilisation} of a device's memory is planned for, {overhead} GiB of it for the CUDA"
        " context and libraries"
    ),
    "fit.assume_context": "{context} tokens a sequence",
    "fit.assume_activations": "activations of a step stand in the overhead (chunked prefill)",
    "fit.measured_peak": "measured: {what}",
    "fit.keeps_none": "all activations are kept (no checkpointing)",
    "fit.keeps_selective": "what is cheap to compute again is not kept (selective checkpointing)",
    "fit.keeps_full": "each layer keeps its input alone and is computed again (checkpointing)",
    "fit.too_long": "{context} tokens are more than the {most} this model was made for",
    "fit.no_activations": (
        "activations are unknown and count as 0: give --layers --hidden --heads --vocab"
    ),
    "fit.adapter_assumed": "adapters are taken as 1 % of the weights: the layers are unknown",
    "fit.no_cache": "the cache is unknown and comes on top: give --layers --heads --head-dim",
    "fit.not_native": (
        "no {precision} units on {devices}: they store it and compute in another precision, or"
        " not at all"
    ),
    "fit.change_weights": "weights in {precision}, embeddings left in 16 bits",
    "fit.change_kv": "cache in fp8: half of it",
    "fit.change_context": "{context} tokens a sequence",
    "fit.change_batch": "{batch} sequences at once",
    "fit.change_split": "split over {count} devices (tensor parallel: needs NVLink to be fast)",
    "fit.change_mixed": (
        "mixed precision: activations halve; weights, gradients and Adam stay 16 B a parameter"
    ),
    "fit.change_checkpointing": (
        "checkpoint activations: keep each layer's input, compute it again, about a third more"
        " arithmetic"
    ),
    "fit.change_accumulation": "micro-batch 1, accumulated over {steps} steps: same result",
    "fit.change_8bit": "8-bit Adam without an fp32 master copy",
    "fit.change_zero1": "optimiser states split over {count} devices (ZeRO-1)",
    "fit.change_zero2": "gradients split as well over {count} devices (ZeRO-2)",
    "fit.change_zero3": (
        "weights split as well over {count} devices (ZeRO-3, FSDP): half as much traffic again"
    ),
    "fit.change_lora": "LoRA: frozen weights, small adapters trained",
    "fit.change_qlora": "QLoRA: frozen weights in 4 bits, small adapters trained",
    "fit.change_offload": "optimiser states in host memory: slower steps",
}
