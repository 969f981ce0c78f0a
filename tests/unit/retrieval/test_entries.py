"""Which entries and properties a question holds."""

import pytest

from app.documents.entry_property import Property
from app.retrieval.entries import holds, named_in, properties_in
from tests.builders import a_hit, an_entry


def named(question: str, *names: str) -> list[str]:
    entries = [a_hit(an_entry(name, id=f"e{n}"), ordinal=n) for n, name in enumerate(names)]
    return [str(hit.unit.meta["name"]) for hit in named_in(question, entries)]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What does Path.walk do?", "Path.walk"),
        ("what does path.WALK do?", "Path.walk"),
        ("Does walk() follow links?", "Path.walk"),
        ("Does `walk` follow links?", "Path.walk"),
        ("Is read_text slow?", "Path.read_text"),
        ("How large is A4?", "A4"),
        ("Is C# typed?", "C#"),
        ("What is a force majeure event?", "Force majeure"),
        ("Was bedeutet Größe?", "größe"),
    ],
)
def test_a_name_in_the_question_is_found(question: str, name: str) -> None:
    assert named(question, name) == [name]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Can I walk a tree?", "Path.walk"),
        ("How large is A41?", "A4"),
        ("Is BA4 a size?", "A4"),
        ("Is it reopened?", "open"),
        ("Anything?", ""),
    ],
)
def test_what_only_looks_like_a_name_is_not_found(question: str, name: str) -> None:
    assert named(question, name) == []


def test_the_longest_names_come_first_six_at_most_and_each_once() -> None:
    names = ["A4", "A4", "Letter", "Legal paper", "B5", "C5", "A3", "A5", "B4"]
    question = "Compare A4, letter, legal paper, B5, C5, A3, A5 and B4."
    assert named(question, *names) == ["Legal paper", "Letter", "A4", "B5", "C5", "A3"]


def test_a_version_counts_by_its_number_and_other_values_in_full() -> None:
    properties = [
        Property("versions", "added in version 3.12", 4),
        Property("versions", "added in version 3.1", 2),
        Property("Weight", "3.12 kg", 1),
        Property("parameters", "mode", 3),
    ]
    found = properties_in("Which members with a mode are new in 3.12?", properties)
    assert found == [properties[0], properties[3]]


def test_a_question_chooses_among_twenty_properties() -> None:
    properties = [Property("Colour", f"c{n}", 1) for n in range(30)]
    assert len(properties_in(" ".join(one.value for one in properties), properties)) == 20


def test_marks_at_the_ends_of_a_name_are_no_part_of_words() -> None:
    assert holds("use --force now", "--force")
    assert not holds("use --forced now", "--force")
