"""Lines that the parser can cut the rest off without copying it (readers design, section 12).

docutils copies all lines that follow wherever a list starts, which takes the square of a document's length.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, overload

from docutils.statemachine import StringList

_T = TypeVar("_T")


class _Tail(Sequence[_T]):
    """A list from some place on."""

    __slots__ = ("base", "start")

    def __init__(self, base: Sequence[_T], start: int) -> None:
        self.base = base
        self.start = start

    @overload
    def __getitem__(self, at: int) -> _T: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[_T]: ...

    def __getitem__(self, at: int | slice) -> _T | Sequence[_T]:
        if isinstance(at, slice):
            start, stop, _ = at.indices(len(self))
            return self.base[self.start + start : self.start + max(start, stop)]
        return self.base[self.start + at if at >= 0 else at]

    def __len__(self) -> int:
        return len(self.base) - self.start


class Lines(StringList):
    """Lines as the parser knows them; `lines[n:]` is a view, `lines[n:m]` a copy."""

    def __init__(self, lines: StringList | None = None, *, data: Any = (), items: Any = (), start: int = 0) -> None:  # noqa: ANN401 - docutils' own structures
        super().__init__()
        self._base: Any = data if lines is None else lines.data
        self._places: Any = items if lines is None else lines.items
        self._start = start
        self.data: Any = _Tail(self._base, start)
        self.items: Any = _Tail(self._places, start)

    def __getitem__(self, at: Any) -> Any:  # noqa: ANN401 - a line or lines
        if not isinstance(at, slice):
            return self._base[self._start + at]
        if at.stop is None:
            return Lines(data=self._base, items=self._places, start=self._start + (at.start or 0))
        return StringList(self.data[at], items=self.items[at])

    def __len__(self) -> int:
        return len(self._base) - self._start
