"""The demonstration's questions against its documents; what it prints is shown in tests/stack."""

import re
from pathlib import Path

import pytest

from app.cli.demo import QUESTIONS, _sample_documents
from app.cli.failure import CommandFailed

EXAMPLES = Path(__file__).parents[3] / "examples"

#: Read by hand in the documents: what answers each question; the fifth is not answered anywhere.
ANSWERS = {
    "How many days do I have to return an unopened controller?": (
        "returns-and-refunds-policy.md",
        "An unopened controller or accessory can be returned within 45 days of delivery",
    ),
    "Who pays for the return if the goods arrived damaged?": (
        "returns-and-refunds-policy.md",
        "If goods arrived damaged, are faulty, or are not what was ordered, we bear the cost of the return.",
    ),
    "Which terminals does the float switch connect to?": (
        "installation-guide.md",
        "Connect the float switch to terminals 7 and 8.",
    ),
    "Which firmware version fixed the false dry-run alarm after a power cut?": (
        "release-notes.md",
        "who uses 4.1.0 with dry-run protection.\n\n### Fixed\n\n- **False dry-run alarm after a power cut.**",
    ),
    "Can I pay for an order in instalments?": None,
}


def test_there_are_five_questions_and_each_was_looked_up_by_hand() -> None:
    assert tuple(ANSWERS) == QUESTIONS


@pytest.mark.parametrize("answer", [answer for answer in ANSWERS.values() if answer is not None])
def test_the_documents_answer_four_of_them(answer: tuple[str, str]) -> None:
    document, passage = answer
    assert passage in (EXAMPLES / document).read_text("utf-8")


def test_no_document_says_anything_of_instalments() -> None:
    for path in EXAMPLES.glob("*.md"):
        text = path.read_text("utf-8").lower()
        assert not re.search(r"instal+ment|pay(ing|ment)? (later|in parts|by the month)|credit term", text)


@pytest.mark.parametrize("name", ["returns-and-refunds-policy.md", "installation-guide.md", "release-notes.md"])
def test_every_sample_document_is_several_pages_long(name: str) -> None:
    assert 1_200 <= len((EXAMPLES / name).read_text("utf-8").split()) <= 2_500


def test_a_folder_without_documents_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match=f"no sample documents .* in {tmp_path}"):
        _sample_documents(tmp_path)


def test_the_repositorys_documents_are_found_without_naming_them() -> None:
    assert [path.name for path in _sample_documents(None)] == [
        "installation-guide.md",
        "release-notes.md",
        "returns-and-refunds-policy.md",
    ]
