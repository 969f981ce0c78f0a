import time

import pytest

from app.documents.contextualizing import NotedChunk, NoteOptions
from app.errors import InvalidRequest
from app.operations.note_prompt import Excerpts, check_template, places, prompt


def a_chunk(content: str = "Press start.", *, start: int | None = None) -> NotedChunk:
    return NotedChunk.of({"content": content, "path": ["Pump", "Use"], "start": start})


def test_the_document_comes_first_and_is_the_same_for_every_chunk() -> None:
    first = prompt(a_chunk("Press start."), "# Pump\n\nAll of it.", NoteOptions())
    second = prompt(a_chunk("Press stop."), "# Pump\n\nAll of it.", NoteOptions())

    assert first.system == second.system
    shared = first.user[: first.user.index("Press start.")]
    assert second.user.startswith(shared)
    assert shared.startswith("<document>\n# Pump\n\nAll of it.\n</document>")
    assert "Pump > Use" in first.user


def test_a_template_of_the_callers_own() -> None:
    options = NoteOptions(template="{document}|{chunk}|{breadcrumb}|{heading}|{ x }|{}|{{heading}}", system="Be brief.")
    made = prompt(a_chunk(), "Doc", options)

    assert made.user == "Doc|Press start.|Pump > Use|Use|{ x }|{}|{Use}"
    assert made.system == "Be brief."


def test_braces_of_the_document_and_the_chunk_are_never_looked_at() -> None:
    made = prompt(a_chunk("{document} {heading} {x"), "{chunk} {0} {heading.__class__} \\1", NoteOptions())

    assert "{chunk} {0} {heading.__class__} \\1" in made.user
    assert "{document} {heading} {x" in made.user


def test_unknown_placeholders_are_refused_by_name() -> None:
    check_template("{document} {chunk} {breadcrumb} {heading} { document } {} {1} {a-b}")
    with pytest.raises(InvalidRequest) as refused:
        check_template("{document} {title} {chunks}")
    assert [error.pointer for error in refused.value.errors] == ["/template", "/template"]
    assert "{chunks}" in refused.value.errors[0].detail
    assert "{title}" in refused.value.errors[1].detail


def test_a_document_that_fits_is_shown_whole() -> None:
    document = "0123456789" * 100
    assert Excerpts(document, 1000).at(990, 10) == document


def test_of_a_long_document_the_beginning_and_the_surroundings_are_shown() -> None:
    document = "".join(f"{number:05d} " for number in range(10_000))
    excerpts = Excerpts(document, 6_000)
    for place in range(0, len(document), 997):
        length = min(300, len(document) - place)
        shown = excerpts.at(place, length)
        assert len(shown) <= 6_000
        assert shown.startswith(document[:750])
        assert document[place : place + length] in shown
        # A good part of what stands on both sides, where there is something.
        assert document[max(0, place - 500) : place + length + 500] in shown


def test_neighbours_are_shown_the_same() -> None:
    document = "".join(f"{number:05d} " for number in range(10_000))
    excerpts = Excerpts(document, 6_000)
    prompts = [excerpts.at(place, 600) for place in range(0, len(document), 600)]
    # The parts step by half their size: some 2,600 characters, which is four chunks of 600.
    assert len(set(prompts)) <= len(prompts) / 3


def test_a_chunk_larger_than_what_is_shown_is_shown_from_its_start() -> None:
    document = "a" * 20_000 + "b" * 20_000
    assert "b" * 1_000 in Excerpts(document, 4_000).at(20_000, 20_000)


def test_where_chunks_stand() -> None:
    document = "# Pump\n\nPress start.\n\nWait.\n\nPress start.\n\nThe end"
    chunks = [
        a_chunk("Press start."),
        a_chunk("Wait."),
        a_chunk("Press start."),
        a_chunk("gone"),
        a_chunk("", start=44),
    ]
    assert places(document, chunks) == [8, 22, 29, len(document) * 3 // 5, 44]


def test_chunks_that_are_not_in_the_document_take_no_long_search() -> None:
    document = "word " * 4_000_000
    chunks = [a_chunk(f"no such text {number}") for number in range(2_000)]
    started = time.process_time()
    found = places(document, chunks)
    assert time.process_time() - started < 2
    assert found == [len(document) * number // 2_000 for number in range(2_000)]
