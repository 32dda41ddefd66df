"""One way of running a model: a request and a shape, as bytes of each of so many devices."""

from gpuadvisor.advice.fit_places import Site
from gpuadvisor.advice.fit_request import KV_PRECISIONS, FitRequest
from gpuadvisor.performance.memory import GIB, Need, Serving, serving_need
from gpuadvisor.performance.shape import DECODER, ModelShape
from gpuadvisor.performance.training_memory import (
    KEEP_ALL,
    KEEP_INPUTS,
    LORA_RANK,
    Training,
    training_need,
)

DEFAULT_CONTEXT = 8192
"""Tokens a sequence where nothing was said, or what the model can at most."""
TRAINING_CONTEXT = 2048


class Plan:
    """One way of running the model: turns a number of devices into bytes of each."""

    def __init__(self, request: FitRequest, shape: ModelShape) -> None:
        self.request = request
        self.shape = shape
        default = TRAINING_CONTEXT if request.train else DEFAULT_CONTEXT
        self.context = request.context or min(default, shape.max_context or default)
        self.precision = request.precision or ("bf16" if request.train else "fp16")
        recompute = KEEP_INPUTS if shape.kind == DECODER and shape.layers else KEEP_ALL
        self.checkpointing = request.checkpointing or recompute

    def need(self, count: int, batch: int | None = None, context: int | None = None) -> Need:
        """Bytes of each of `count` devices."""
        request = self.request
        batch = request.batch if batch is None else batch
        context = context or self.context
        if request.train:
            return training_need(self.shape, self.training(count, batch, context))
        return serving_need(self.shape, self.serving(count, batch, context))

    def serving(self, count: int, batch: int, context: int) -> Serving:
        """The settings of serving on `count` devices."""
        kv = KV_PRECISIONS[self.request.kv_precision]
        return Serving(self.precision, kv, context, batch, count, self.request.overhead_gib)

    def training(self, count: int, batch: int, context: int) -> Training:
        """The settings of training on `count` devices."""
        request = self.request
        return Training(
            precision=self.precision,
            method=request.method,
            optimizer=request.optimizer,
            sharding=request.sharding,
            devices=count,
            context=context,
            batch=batch,
            checkpointing=self.checkpointing,
            offload=request.offload,
            lora_rank=request.lora_rank or LORA_RANK,
            fused=request.optimizer_in_backward,
            overhead_gib=request.overhead_gib,
        )

    def room(self, site: Site) -> float:
        """Bytes of one device that may be planned with."""
        return site.usable_gib * GIB * self.request.utilisation
