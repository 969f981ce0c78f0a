"""UTF-8 byte offsets to code-point offsets."""

from collections.abc import Iterable, Mapping


def code_points(data: bytes, offsets: Iterable[int], base: int = 0) -> Mapping[int, int]:
    """Return, for each byte offset into UTF-8 `data`, the number of code points before it plus `base`.

    One pass over `data`, whatever the number and order of the offsets.
    """
    if data.isascii():
        return {offset: offset + base for offset in offsets}
    found: dict[int, int] = {}
    at, count = 0, base
    for offset in sorted(set(offsets)):
        count += len(data[at:offset].decode())
        at = offset
        found[offset] = count
    return found
