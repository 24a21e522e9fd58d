"""What a forward pass keeps for its backward pass, counted by two independent oracles.

`SavedTensors` hears of every tensor that autograd saves. Tensors of one storage
count once, at the size of the storage; parameters are left out. Storages are told
apart by their own identity, never by a data pointer, which is 0 for all on the
meta device. `LiveBytes` knows nothing of autograd: it watches every operation
and says which storages are still alive afterwards, so that it also sees what
checkpointing keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import torch
from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

Keep = Callable[[str, Tensor], Tensor]
"""Names the ledger row that a tensor belongs to, and gives the tensor back."""


@dataclass(frozen=True)
class Saved:
    """One storage that the backward pass needs.

    row: the ledger row that the layer named, or "". holders: who saved it, as
    "NativeLayerNormBackward0.result1".
    """

    size: int
    shape: tuple[int, ...]
    dtype: str
    row: str
    holders: tuple[str, ...]


class SavedTensors:
    """Collects saved tensors while it is entered."""

    def __init__(self, parameters: Iterable[Tensor]) -> None:
        self._parameters = {_key(parameter): parameter for parameter in parameters}
        self._saved: dict[int, Tensor] = {}
        self._rows: dict[int, str] = {}
        self._named: list[Tensor] = []  # alive, or another storage could take an identity over
        self._hooks = torch.autograd.graph.saved_tensors_hooks(self._pack, lambda tensor: tensor)

    def __enter__(self) -> SavedTensors:
        self._hooks.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hooks.__exit__(kind, error, trace)

    def keep(self, row: str, tensor: Tensor) -> Tensor:
        """Name the ledger row of a tensor."""
        self._named.append(tensor.detach())
        self._rows[_key(tensor)] = row
        return tensor

    def listed(self, output: Tensor) -> list[Saved]:
        """The storages saved on the way to `output`, in the order in which they were saved."""
        holders = _holders(output)
        return [
            Saved(
                tensor.untyped_storage().nbytes(),
                tuple(tensor.shape),
                str(tensor.dtype).removeprefix("torch."),
                self._rows.get(key, ""),
                tuple(holders.get(key, ())),
            )
            for key, tensor in self._saved.items()
        ]

    def _pack(self, tensor: Tensor) -> Tensor:
        key = _key(tensor)
        if key not in self._parameters:
            self._saved.setdefault(key, tensor.detach())
        return tensor.detach()


class LiveBytes(TorchDispatchMode):
    """Watches every operation and remembers, weakly, each storage that one returned."""

    def __init__(self, leave_out: Iterable[Tensor] = ()) -> None:
        super().__init__()
        self._left_out = {_key(tensor) for tensor in leave_out}
        self._seen: dict[int, tuple[StorageWeakRef, int]] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(result):
            if isinstance(leaf, Tensor) and (key := _key(leaf)) not in self._left_out:
                storage = leaf.untyped_storage()
                self._seen[key] = (StorageWeakRef(storage), storage.nbytes())
        return result

    def alive(self, but: Iterable[Tensor] = ()) -> int:
        """Bytes of the storages still alive, those of `but` left out."""
        out = {_key(tensor) for tensor in but}
        kept = [size for key, (ref, size) in self._seen.items() if key not in out and not ref.expired()]
        return sum(kept)


def storage_bytes(tensors: Iterable[Tensor]) -> int:
    """Bytes of the storages of some tensors, each once."""
    return sum({_key(tensor): tensor.untyped_storage().nbytes() for tensor in tensors}.values())


def _key(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


def _holders(output: Tensor) -> dict[int, list[str]]:
    """Which node of the graph saved each storage, and as what."""
    found: dict[int, list[str]] = {}
    seen: set[Any] = set()
    open_nodes: list[Any] = [output.grad_fn]
    while open_nodes:
        node = open_nodes.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        open_nodes += [following for following, _ in node.next_functions]
        for name, tensor in _held(node):
            found.setdefault(_key(tensor), []).append(f"{node.name()}.{name}")
    return found


def _held(node: Any) -> list[tuple[str, Tensor]]:
    names = [name for name in dir(node) if name.startswith("_saved_")]
    pairs = [(name.removeprefix("_saved_"), getattr(node, name)) for name in names]
    pairs += [("saved", tensor) for tensor in getattr(node, "saved_tensors", ())]
    return [(name, leaf) for name, value in pairs for leaf in tree_leaves(value) if isinstance(leaf, Tensor)]
