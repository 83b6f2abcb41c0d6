"""Opens the network with onnxruntime, set up for a program in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.inference.graph import INPUT
from app.inference.packs import damaged
from app.runtime.environment import forbid_telemetry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


class Session:
    """A network that is ready to run. Its memory is given back with the object."""

    def __init__(self, model: Path, *, threads: int, is_for_short: bool = False) -> None:
        """Load the graph.

        Args:
            model: the graph's file; the embedding's own file is beside it, and is mapped into memory.
            threads: how many processor cores to use at most.
            is_for_short: texts will be short, so that the memory that one took may be kept for the next.

        Raises:
            Damaged: onnxruntime does not understand the file.
            Unavailable: onnxruntime cannot be loaded.
        """
        forbid_telemetry()
        try:
            import onnxruntime  # noqa: PLC0415 - heavy, and not needed without a pack
            from onnxruntime.capi import onnxruntime_pybind11_state as errors  # noqa: PLC0415
        except ImportError as error:
            raise Unavailable(
                msg("onnxruntime, which runs the embedding model, cannot be loaded."),
                next_step=msg("Install Famulus again."),
            ) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC  # see graph.py
        # An arena keeps the memory of the longest text for good, as does a plan for every length of text. For questions
        # that is 2 MB, and without them a quarter of the time goes into getting memory and giving it back.
        options.enable_cpu_mem_arena = is_for_short
        options.enable_mem_pattern = is_for_short
        options.log_severity_level = 4
        # Threads that spin while they wait save 5 % of the time, and burn a battery.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._refusals = refusals = (
            errors.Fail, errors.InvalidArgument, errors.InvalidGraph, errors.InvalidProtobuf, errors.NoSuchFile,
            errors.NotImplemented, errors.RuntimeException,
        )  # fmt: skip
        try:
            self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        except refusals as error:
            raise damaged() from error

    def vector(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vector of one text: float32[dimension], of length 1.

        Args:
            ids: int64[tokens], with prefix and the marks at both ends.
        """
        vector: NDArray[np.float32] = self.run({INPUT: ids[None, :]})[0][0]
        return vector

    def run(self, inputs: Mapping[str, NDArray[np.generic]]) -> list[NDArray[np.float32]]:
        """The outputs, in the graph's order, for inputs by name; the batch's axis is kept.

        Raises:
            Unavailable: the network failed, for want of memory most likely; so do the others here.
        """
        try:
            found: list[NDArray[np.float32]] = self._session.run(None, dict(inputs))
        except self._refusals as error:
            raise Unavailable(
                msg("The model failed on a text, perhaps for want of memory."),
                next_step=msg("Close other programs, or start Famulus again."),
            ) from error
        return found

    def outputs(self, ids: NDArray[np.int64]) -> dict[str, NDArray[np.float32]]:
        """All outputs of the network for one text, by name.

        Args:
            ids: int64[tokens], with the marks at both ends.

        Returns:
            Arrays without the batch's axis: of a token classifier float32[tokens, labels] for each head.
        """
        found = self.run({INPUT: ids[None, :]})
        return {output.name: array[0] for output, array in zip(self._session.get_outputs(), found, strict=True)}
