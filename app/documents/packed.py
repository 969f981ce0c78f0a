"""Long lists of cells kept small: packed in chunks, and unpacked a chunk at a time.

A million Python strings take sixty times a million bytes; packed they take little more than their characters.
"""

import marshal
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Generic, TypeVar

from app.documents.table import Value

T = TypeVar("T")

CHUNK = 8_192


class Packed(Generic[T]):
    """A list that only grows. Items are what `marshal` takes: None, bool, int, str, bytes, and plain tuples of these.

    Only ever unpacked by the service itself: what it holds comes from this process, or from a child of it.
    """

    __slots__ = ("_chunks", "_length", "_open")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._chunks: list[bytes] = []
        self._open: list[T] = []
        self._length = 0
        self.extend(items)

    def append(self, item: T) -> None:
        """Add an item at the end."""
        self._open.append(item)
        self._length += 1
        if len(self._open) >= CHUNK:
            self._close()

    def extend(self, items: Iterable[T]) -> None:
        """Add items at the end."""
        for item in items:
            self.append(item)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        for chunk in self.chunks():
            yield from chunk

    def chunks(self) -> Iterator[list[T]]:
        """Yield the items in order, `CHUNK` of them at a time and the rest at the end."""
        for chunk in self._chunks:
            yield self._decode(marshal.loads(chunk))  # noqa: S302  # see the class
        if self._open:
            yield list(self._open)

    def __getstate__(self) -> tuple[list[bytes], bytes, int]:
        return self._chunks, marshal.dumps(self._encode(self._open)), self._length

    def __setstate__(self, state: tuple[list[bytes], bytes, int]) -> None:
        self._chunks, rest, self._length = state
        self._open = self._decode(marshal.loads(rest))  # noqa: S302  # see the class

    def _close(self) -> None:
        self._chunks.append(marshal.dumps(self._encode(self._open)))
        self._open = []

    def _encode(self, items: list[T]) -> list[object]:
        return list(items)

    def _decode(self, items: list[T]) -> list[T]:
        return items


class PackedValues(Packed[Value]):
    """A column of cleaned values; numbers keep all their digits."""

    __slots__ = ()

    def _encode(self, items: list[Value]) -> list[object]:
        return [str(item).encode() if type(item) is Decimal else item for item in items]

    def _decode(self, items: list[Value]) -> list[Value]:
        return [Decimal(item.decode()) if isinstance(item, bytes) else item for item in items]
