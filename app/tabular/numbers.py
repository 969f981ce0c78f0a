"""How exact numbers are compared and written (tabular design, rules H2 to H4)."""

from decimal import ROUND_HALF_UP, Context, Decimal, Inexact

from app.documents.table import Value

#: From here on, whole parts have commas: years read as years.
_COMMAS_FROM = 10_000
#: Large enough for whatever fits a file, and loud instead of rounding in silence.
EXACT = Context(prec=100_000, Emax=999_999, Emin=-999_999, traps=[Inexact])
_ROUNDING = Context(prec=100_000, Emax=999_999, Emin=-999_999, rounding=ROUND_HALF_UP)
#: Signs that stand before the number.
_SIGNS = frozenset("£$€¥₹")


def plain(number: Decimal) -> str:
    """Return a number without exponent, group marks or trailing zeros; `-0` is `0`."""
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def match_key(value: Value) -> str:
    """Return what a value is compared by: a number without trailing zeros, a text as it is, nothing for a blank."""
    if value is None:
        return ""
    return plain(value) if isinstance(value, Decimal) else value


def written(value: Value, *, least_places: int = 0) -> str:
    """Return a value as people read it: from 10,000 on with commas, all decimals kept, trailing zeros dropped.

    Args:
        value: A number, a text or a blank, which is empty.
        least_places: Decimals that a number shows at least when it shows any.
    """
    if not isinstance(value, Decimal):
        return value or ""
    whole, _, decimals = plain(value).partition(".")
    if decimals:
        decimals = decimals.ljust(least_places, "0")
    digits = whole.lstrip("-")
    if len(digits) > 4 and int(digits) >= _COMMAS_FROM:  # noqa: PLR2004  # 9,999 has four digits
        whole = f"{whole[: len(whole) - len(digits)]}{int(digits):,}"
    return f"{whole}.{decimals}" if decimals else whole


def amount(value: Value, unit: str | None, *, least_places: int = 0) -> str:
    """Return a number with its unit: `427,339 GWh`, `-£3200.50`, `12.5%`; `no data` for a blank."""
    if value is None:
        return "no data"
    text = written(value, least_places=least_places)
    if unit is None:
        return text
    if unit in _SIGNS:
        return f"-{unit}{text[1:]}" if text.startswith("-") else f"{unit}{text}"
    return f"{text}%" if unit == "%" else f"{text} {unit}"


def divided(dividend: Decimal, divisor: Decimal) -> tuple[Decimal, bool]:
    """Divide, and round once to four decimals, half away from zero.

    Returns:
        The quotient, and whether it is exact.

    Raises:
        ZeroDivisionError: the divisor is 0.
    """
    if not divisor:
        raise ZeroDivisionError
    scale = max(0, -int(dividend.as_tuple().exponent), -int(divisor.as_tuple().exponent))
    above, below = int(dividend.scaleb(scale, _ROUNDING)), int(divisor.scaleb(scale, _ROUNDING))
    negative = (above < 0) != (below < 0)
    quotient, left = divmod(abs(above) * 10_000, abs(below))
    rounded = quotient + (2 * left >= abs(below))
    number = Decimal(-rounded if negative else rounded).scaleb(-4, _ROUNDING)
    return number, left == 0
