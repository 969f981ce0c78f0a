"""Conversations of ChatGPT's export (conversations design, a.16)."""

import json
from typing import Any

from app.chat_logs import chatgpt, json_lines
from app.chat_logs.assembling import blocks
from app.chat_logs.json_lines import Notes
from tests.unit.chat_logs.logs import line

_EXAMPLE = """{"title":"Trip","current_node":"n3","mapping":{
 "r":{"id":"r","message":null,"parent":null,"children":["n1"]},
 "n1":{"id":"n1","parent":"r","children":["n2","n3"],"message":{"id":"n1","author":{"role":"user"},"create_time":1700000001.5,"content":{"content_type":"text","parts":["Where to?"]},"recipient":"all","metadata":{}}},
 "n2":{"id":"n2","parent":"n1","children":[],"message":{"id":"n2","author":{"role":"assistant"},"content":{"content_type":"text","parts":["Rome (first try)"]},"recipient":"all","metadata":{}}},
 "n3":{"id":"n3","parent":"n1","children":[],"message":{"id":"n3","author":{"role":"assistant"},"create_time":1700000004,"content":{"content_type":"text","parts":["Oslo."]},"recipient":"all","metadata":{"model_slug":"gpt-x"}}}}}"""  # noqa: E501
_SHOWN = [
    'P user n1 time=2023-11-14T22:13:21Z "Where to?"',
    'P assistant(gpt-x) n3 →n1 time=2023-11-14T22:13:24Z "Oslo."',
]


def _read(text: str, notes: Notes | None = None, *, include_branches: bool = False) -> list[str]:
    value = json_lines.parse(text)
    assert chatgpt.is_conversation(value)
    told = chatgpt.messages(value, notes or Notes(), include_branches=include_branches)
    return [line(block) for block in blocks(told)]


def _chain(*messages: dict[str, Any]) -> str:
    """A conversation of messages that follow each other, named `0`, `1` and so on."""
    mapping: dict[str, Any] = {}
    for place, message in enumerate(messages):
        parent = str(place - 1) if place else None
        mapping[str(place)] = {"parent": parent, "children": [str(place + 1)], "message": message}
    return json.dumps({"mapping": mapping, "current_node": str(len(messages) - 1)})


def _said(role: str, text: str = "", **members: Any) -> dict[str, Any]:  # noqa: ANN401 - members of a message
    content = {"content_type": "text", "parts": [text]}
    return {"author": {"role": role}, "content": content, "recipient": "all", "metadata": {}, **members}


def _tool(name: str, /, **content: Any) -> dict[str, Any]:  # noqa: ANN401 - members of a content
    return _said("tool", author={"role": "tool", "name": name}, content=content)


def test_the_example() -> None:
    notes = Notes()
    assert _read(_EXAMPLE, notes) == _SHOWN
    assert notes.withdrawn_branches == 1


def test_another_answer_stands_under_a_title_where_branches_are_asked_for() -> None:
    other = ['H2 "Other branch 1"', 'P assistant n2 "Rome (first try)"']
    assert _read(_EXAMPLE, include_branches=True) == _SHOWN + other


def test_without_a_current_node_the_last_child_that_exists_is_followed() -> None:
    text = _EXAMPLE.replace('"current_node":"n3"', '"current_node":"gone"')
    assert _read(text.replace('["n2","n3"]', '["n2","n3","gone"]')) == _SHOWN


def test_a_circle_of_parents_ends() -> None:
    value = json.loads(_EXAMPLE)
    value["mapping"]["n1"]["parent"] = "n3"
    assert _read(json.dumps(value)) == _SHOWN


def test_a_text_for_a_tool_is_a_call_that_its_result_answers() -> None:
    code = {"content_type": "code", "language": "python", "text": "1+1"}
    text = _chain(
        _said("user", "Add"),
        _said("assistant", content=code, recipient="python"),
        _tool("python", content_type="execution_output", text="2"),
        _said("assistant", "Two."),
    )
    assert _read(text) == [
        'P user 0 "Add"',
        'C assistant 1#0 →0 tool=python "python(1+1)"',
        'C tool 2#0 →1#0 att tool=python "2"',
        'P assistant 3 →2#0 "Two."',
    ]


def test_code_for_everybody_is_text() -> None:
    code = {"content_type": "code", "language": "json", "text": "x = 1"}
    assert _read(_chain(_said("assistant", content=code))) == ['P assistant 0 "x = 1"']


def test_results_name_their_page_and_their_fault() -> None:
    text = _chain(
        _tool("web", content_type="tether_quote", title="Fjords", url="https://e.org/f", text="Deep."),
        _tool("web", content_type="system_error", name="Timeout", text="Too slow"),
        _tool("web", content_type="tether_browsing_display", result="Found it", summary=None),
        _tool("art", content_type="multimodal_text", parts=[{"content_type": "image_asset_pointer"}]),
    )
    assert _read(text) == [
        'C tool 0#0 att tool=web "Fjords (https://e.org/f)\\nDeep."',
        'C tool 1#0 →0#0 att err tool=web "Too slow"',
        'C tool 2#0 →1#0 att tool=web "Found it"',
        'C tool 3#0 →2#0 att tool=art "[image]"',
    ]


def test_a_hidden_result_says_nothing_and_answers_its_call() -> None:
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    call = {"recipient": "web"}
    text = _chain(
        _said("assistant", "first", **call),
        {**_tool("web", content_type="execution_output", text="secret"), **hidden},
        _said("assistant", "second", **call),
        _tool("web", content_type="execution_output", text="shown"),
    )
    assert _read(text) == [
        'C assistant 0#0 tool=web "web(first)"',
        'C assistant 2#0 →0#0 tool=web "web(second)"',
        'C tool 3#0 →2#0 att tool=web "shown"',
    ]


def test_what_is_hidden_or_without_weight_is_passed_over() -> None:
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    text = _chain(_said("user", "Hi"), _said("user", "profile", **hidden), _said("system", "x", weight=0.0))
    assert _read(text) == ['P user 0 "Hi"']
    assert _read(_chain(_said("user", "Hi", weight=1.0))) == ['P user 0 "Hi"']


def test_media_attachments_and_spoken_words() -> None:
    parts = [
        {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
        {"content_type": "audio_transcription", "text": "Look here"},
        {"content_type": "real_time_user_audio_video_asset_pointer"},
    ]
    message = _said("user", content={"content_type": "multimodal_text", "parts": parts})
    message["metadata"] = {"attachments": [{"name": "plan.pdf"}]}
    assert _read(_chain(message)) == [
        'P user 0 att "[image]"',
        'P user 0 "Look here"',
        'P user 0 att "[audio]"',
        'P user 0 att "[file: plan.pdf]"',
    ]


def test_thoughts_are_reasoning_and_recaps_are_nothing() -> None:
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "Cold there."}]}
    recap = {"content_type": "reasoning_recap", "content": "Thought for 2 s"}
    context = {"content_type": "user_editable_context", "user_profile": "p"}
    notes = Notes()
    text = _chain(*(_said("assistant", content=content) for content in (thoughts, recap, context)))
    assert _read(text, notes) == ['P assistant 0 att kind=reasoning "Cold there."']
    assert notes.skipped == {"reasoning_recap": 1, "user_editable_context": 1}


def test_an_unknown_content_is_kept() -> None:
    told = _said("assistant", content={"content_type": "hologram", "text": "Seen"})
    shape = _said("assistant", content={"content_type": "hologram", "size": 3})
    assert _read(_chain(told, shape)) == [
        'P assistant 0 "Seen"',
        'P assistant 1 →0 att kind=unknown "{\\"content_type\\":\\"hologram\\",\\"size\\":3}"',
    ]


def test_citation_marks_become_titles_or_nothing() -> None:
    known, other = "\ue200cite\ue202turn0search1\ue201", "\ue200cite\ue202turn0search2\ue201"
    reference = {"matched_text": known, "items": [{"title": "Fjords", "url": "https://e.org/f"}]}
    message = _said(
        "assistant", f"Deep.{known} Cold {other}. Wide {known}\ue202", metadata={"content_references": [reference]}
    )
    assert _read(_chain(message)) == [
        'P assistant 0 "Deep. Fjords (https://e.org/f) Cold. Wide Fjords (https://e.org/f)"'
    ]
