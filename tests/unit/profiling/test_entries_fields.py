import pytest

from app.profiling.entries_fields import MOST_VALUES, member_fields, parameters, signature_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Path.walk(top_down=True)", "Path.walk"),
        ("open(path[, mode[, buffering]])", "open"),
        ("class pathlib.Path(*pathsegments)", "pathlib.Path"),
        ("async def fetch(url: str, *, timeout: float = 5.0) -> bytes:", "fetch"),
        ("void std::vector::push_back(const T& value);", "std::vector::push_back"),
        ("const char *strchr(const char *s, int c)", "strchr"),
        ("function open(turns: number, opts?: Options): void {", "open"),
        ("$.ajax(url)", "$.ajax"),
        ("Array#map(callback)", "Array#map"),
        ('quote(text=")")', "quote"),
        ("Opens the tap (once).", None),
        ("See open(path) for more.", None),
        ("open(path) opens the file.", None),
        ("open(path", None),
        ("Path.walk", None),
        ("(a, b)", None),
        ("open(path)\nclose(path)", None),
    ],
)
def test_a_line_that_is_a_call_signature_names_what_is_called(text: str, name: str | None) -> None:
    assert signature_name(text) == name


@pytest.mark.parametrize(
    ("signature", "names"),
    [
        (
            "Path.walk(top_down=True, on_error=None, *, follow_symlinks=False)",
            ["top_down", "on_error", "follow_symlinks"],
        ),
        ("f(a, /, b, *args, **kwargs)", ["a", "b", "args", "kwargs"]),
        ("open(path[, mode[, buffering]])", ["path", "mode", "buffering"]),
        ("f(table: dict[str, int] = {'a': 1, 'b': 2}, sep=', ')", ["table", "sep"]),
        ("f(callback: Callable[[int, str], None], x: int)", ["callback", "x"]),
        ("Tap.open(self, turns)", ["turns"]),
        ("int read(int fd, void *buf, size_t count)", ["fd", "buf", "count"]),
        ("open(turns: number, opts?: Options)", ["turns", "opts"]),
        ("f(std::string name, int size = 3)", ["name", "size"]),
        ("open($path, string $mode = 'r')", ["path", "mode"]),
        ("f()", []),
        ("int main(void)", []),
        ("f(...)", []),
        ("Tap", []),
    ],
)
def test_parameters_are_names_without_types_and_defaults(signature: str, names: list[str]) -> None:
    assert list(parameters(signature)) == names


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("Added in version 3.12.", ["added in version 3.12"]),
        (
            "New in version 3.2: it waits. Changed in version 3.3.1: it doesn't.",
            ["added in version 3.2", "changed in version 3.3.1"],
        ),
        ("Deprecated since version 3.4, removed in v4.0.", ["deprecated since version 3.4", "removed in version 4.0"]),
        ("changed in 2.1", ["changed in version 2.1"]),
        ("Added in version 7", ["added in version 7"]),
        ("Added in version 3.1. Added in version 3.1.", ["added in version 3.1"]),
        ("It was added in 2019, and changed in spring.", None),
    ],
)
def test_versions_say_what_happened_in_them(text: str, versions: list[str] | None) -> None:
    assert member_fields("f", None, text).get("versions") == versions


def test_exceptions_are_others_than_the_member_itself() -> None:
    text = "Raised by open. A TapError is an OSError; see also UserWarning, StuckException, Errors and OSError."

    assert member_fields("tap.TapError", None, text) == {"exceptions": ["OSError", "UserWarning", "StuckException"]}


def test_fields_are_bounded() -> None:
    text = " ".join(f"E{number}Error" for number in range(1000))

    assert member_fields("f", None, text) == {"exceptions": [f"E{number}Error" for number in range(MOST_VALUES)]}


def test_a_member_without_any_has_no_fields() -> None:
    assert member_fields("Cone", None, "A heat mark.") == {}
