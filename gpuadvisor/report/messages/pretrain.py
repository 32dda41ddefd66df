"""Texts about training from scratch: how the model is laid out, compression, zones."""

from __future__ import annotations

EN: dict[str, str] = {
    "pretrain.compressed_shards": (
        "--compression {method} is for the all-reduce of whole gradients (--sharding none):"
        " {sharding} exchanges shards, and weights that it does not compress"
    ),
    "pretrain.zones_most": "--zones {zones}: expected at most {most}, and a node in each",
    "pretrain.stages_most": "--pipeline-parallel {stages}: the model has {layers} layers",
    "pretrain.batch_least": "--batch-tokens {batch}: one sequence has {context} tokens",
    "pretrain.gpus_least": (
        "--gpus {gpus}: a replica split as --tensor-parallel and --pipeline-parallel say takes"
        " {replica} devices"
    ),
    "pretrain.micro_most": (
        "--accumulation {count}: a step of {batch} tokens has {most} sequences; --batch-tokens"
        " changes it"
    ),
    "pretrain.timed_apart": (
        "timed by operations and the share of the peak that such training reaches, less the"
        " exchange that compute does not hide; {zones} zones, plain IP between them, all nodes at"
        " once"
    ),
    "pretrain.batch": "at most {tokens} tokens a step",
    "pretrain.accumulation": "{count} micro-batches a step",
    "pretrain.tensor_penalty": (
        "there the exchange of each split layer takes up to {ratio} times as long as its compute"
        " ({type})"
    ),
    "pretrain.layout": "{data} replicas of {tensor} (tensor) x {pipeline} (pipeline) devices",
    "pretrain.split": ", split {tensor} x {pipeline}",
    "pretrain.net": "{share} of peak in all",
    "pretrain.bubble": "pipeline idle {share} of a step",
    "pretrain.recomputed": "{share} of layers computed twice",
    "pretrain.compressed_same": "{method} gradients: they have 16 bit already",
    "pretrain.compressed_gain": (
        "{method} gradients: {after} GB a device and step instead of {before}, {share} faster,"
        " {hours} h less"
    ),
    "pretrain.compressed_nothing": (
        "{method} gradients: {after} GB a device and step instead of {before}, which saves nothing:"
        " the exchange was hidden behind compute already"
    ),
    "pretrain.compressed_loss": (
        "{method} gradients: {after} GB a device and step instead of {before}, yet {share} slower,"
        " {hours} h more:"
        " on links this fast compressing takes longer than sending"
    ),
    "pretrain.apart": (
        "in {zones} zones {hours} h, in one placement group {together}; {volume} pass between"
        " zones, {cost}"
    ),
    "pretrain.apart_cost": "{cost} {currency} on top",
    "pretrain.apart_unknown": "at a price that is not known",
    "pretrain.step": (
        "a step takes {seconds} s for {tokens} tokens: {data} replicas x {micro} micro-batches x"
        " {sequences} sequences"
    ),
    "pretrain.zero1": (
        "replicas share optimiser states alone (ZeRO-1): in a pipeline every micro-batch would"
        " gather sharded weights again"
    ),
    "pretrain.traffic": (
        "a device sends {data} GB a step for gradients and weights{tensor}{pipeline}"
    ),
    "pretrain.traffic_tensor": ", {size} within split layers over NVLink",
    "pretrain.traffic_pipeline": ", {size} between stages",
    "pretrain.apart_exchange": (
        "exchange of a step alone, nothing hidden: {apart} ms in {zones} zones, {together} ms in"
        " one placement group; traffic between zones: {source}"
    ),
    "pretrain.method_fp16": "fp16",
    "pretrain.method_1bit": "1-bit",
    "pretrain.method_powersgd": "PowerSGD",
}
