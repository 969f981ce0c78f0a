"""The examples of the design, sections a.4 to a.11, a.15 and a.18, and what careless readers miss there."""

import json

import pytest

from app.documents.block import ParsedExport
from app.errors import MalformedDocument
from app.ports.reader_runner import Source
from app.readers.chat import read_chat
from tests.unit.chat_logs.logs import parsed, read


def test_a4_chat_completions() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}}
    log = [
        {"role": "user", "content": "Weather in Oslo?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "4 C"},
        {"role": "assistant", "content": "Four degrees."},
    ]
    blocks = [
        'P user 0 "Weather in Oslo?"',
        'C assistant 1#c1 call=c1 tool=get_weather "get_weather({\\"city\\":\\"Oslo\\"})"',
        'C tool 2#c1 →1#c1 att tool=get_weather "4 C"',
        'P assistant 3 "Four degrees."',
    ]
    assert read(log) == blocks
    assert read({"messages": log}) == blocks
    assert read("\n".join(json.dumps(item) for item in log)) == blocks


def test_a4_responses() -> None:
    log = {
        "instructions": "Be exact.",
        "input": "List the folder",
        "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Use ls."}], "encrypted_content": "zzz"},
            {"type": "shell_call", "call_id": "s1", "action": {"commands": ["ls"]}},
            {
                "type": "shell_call_output",
                "call_id": "s1",
                "output": [{"stdout": "a.txt", "stderr": "warn", "outcome": {"type": "exit", "exit_code": 2}}],
            },
            {"type": "compaction", "encrypted_content": "x"},
            {"type": "computer_call_output", "call_id": "c", "output": {"image_url": "data:image/png;base64,AAAA"}},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One file."}]},
        ],
    }
    assert read(log) == [
        'P system system att "Be exact."',
        'P user 0 "List the folder"',
        'P assistant 1 att kind=reasoning "Use ls."',
        'C assistant 2#s1 call=s1 tool=shell "shell({\\"commands\\":[\\"ls\\"]})"',
        'C tool 3#s1 →2#s1 att err tool=shell "a.txt\\nwarn"',
        'C tool 5#c att "[image]"',
        'P assistant 6 "One file."',
    ]


def test_a5_anthropic() -> None:
    image = {"type": "image", "source": {"type": "base64", "data": "iVBOR"}}
    log = {
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Read a.txt"}, image]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Use read.", "signature": "x"},
                    {"type": "text", "text": "Reading."},
                    {"type": "tool_use", "id": "t1", "name": "read", "input": {"p": "a.txt"}},
                ],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "no such file", "is_error": True}],
            },
        ],
    }
    assert read(log) == [
        'P system system att "Be brief."',
        'P user 0 "Read a.txt"',
        'P user 0 att "[image]"',
        'P assistant 1 att kind=reasoning "Use read."',
        'P assistant 1 "Reading."',
        'C assistant 1#t1 →1 call=t1 tool=read "read({\\"p\\":\\"a.txt\\"})"',
        'C tool 2#t1 →1#t1 att err tool=read "no such file"',
    ]


def test_a6_gemini() -> None:
    log = {
        "contents": [
            {"role": "user", "parts": [{"text": "Sum 2 and 40"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "add", "args": {"a": 2, "b": 40}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "add", "response": {"output": "42"}}}]},
            {"role": "model", "parts": [{"text": "42.", "thoughtSignature": "c2ln"}]},
        ]
    }
    assert read(log) == [
        'P user 0 "Sum 2 and 40"',
        'C assistant 1#0 tool=add "add({\\"a\\":2,\\"b\\":40})"',
        'C tool 2#0 →1#0 att tool=add "42"',
        'P assistant 3 "42."',
    ]


def test_a7_mistral() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "Multiply."}]}
    log = [
        {"role": "user", "content": "7*6?"},
        {"role": "assistant", "content": [thinking, {"type": "text", "text": "42"}]},
    ]
    assert read(log) == ['P user 0 "7*6?"', 'P assistant 1 att kind=reasoning "Multiply."', 'P assistant 1 "42"']


def test_a8_cohere() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    document = {"type": "document", "document": {"id": "1", "data": '{"t":1}'}}
    log = {
        "messages": [
            {"role": "user", "content": "Find T1"},
            {"role": "assistant", "tool_plan": "Search.", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": [document]},
        ]
    }
    assert read(log) == [
        'P user 0 "Find T1"',
        'P assistant 1 att kind=reasoning "Search."',
        'C assistant 1#a →1 call=a tool=find "find({})"',
        'C tool 2#a →1#a att tool=find "{\\"t\\":1}"',
    ]
    old = {
        "preamble": "Be kind.",
        "chat_history": [{"role": "USER", "message": "Hi"}, {"role": "CHATBOT", "message": "Hello"}],
        "message": "Bye",
    }
    assert read(old) == [
        'P system system att "Be kind."',
        'P user 0 "Hi"',
        'P assistant 1 "Hello"',
        'P user 2 "Bye"',
    ]


POINT = {"cachePoint": {"type": "default"}}


def test_a9_bedrock() -> None:
    result = {"toolUseId": "u1", "content": [{"json": {"ok": False}}], "status": "error"}
    log = {
        "messages": [
            {"role": "user", "content": [{"text": "Is db up?"}]},
            {"role": "assistant", "content": [{"toolUse": {"toolUseId": "u1", "name": "ping", "input": {"h": "db"}}}]},
            {"role": "user", "content": [{"toolResult": result}]},
            {"role": "assistant", "content": [{"citationsContent": {"content": [{"text": "No."}]}}, POINT]},
        ]
    }
    assert read(log) == [
        'P user 0 "Is db up?"',
        'C assistant 1#u1 call=u1 tool=ping "ping({\\"h\\":\\"db\\"})"',
        'C tool 2#u1 →1#u1 att err tool=ping "{\\"ok\\":false}"',
        'P assistant 3 "No."',
    ]


def test_a10_ollama() -> None:
    log = {
        "messages": [
            {"role": "user", "content": "Add", "images": ["iVBOR", "iVBOS"]},
            {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "add", "arguments": {"a": 1}}}]},
            {"role": "tool", "tool_name": "add", "content": "11"},
        ]
    }
    assert read(log) == [
        'P user 0 "Add"',
        'P user 0 att "[image]"',
        'P user 0 att "[image]"',
        'C assistant 1#0 tool=add "add({\\"a\\":1})"',
        'C tool 2#0 →1#0 att tool=add "11"',
    ]
    streamed = [
        {"model": "m", "message": {"role": "assistant", "content": text}, "done": done}
        for text, done in (("Hel", False), ("lo", False), ("", True))
    ]
    user = {"role": "user", "content": "Hi"}
    assert read("\n".join(map(json.dumps, [user, *streamed])))[1:] == ['P assistant 1 "Hello"']


def test_a11_langchain() -> None:
    log = [
        {"type": "human", "data": {"content": "Hi"}},
        {"type": "ai", "data": {"content": "", "tool_calls": [{"name": "f", "args": {"x": 1}, "id": "i"}]}},
        {"type": "tool", "data": {"content": "r", "tool_call_id": "i"}},
    ]
    assert read(log) == [
        'P user 0 "Hi"',
        'C assistant 1#i call=i tool=f "f({\\"x\\":1})"',
        'C tool 2#i →1#i att tool=f "r"',
    ]
    kinds = ["langchain_core", "messages"]
    dumped = [
        {"lc": 1, "type": "constructor", "id": [*kinds, "HumanMessage"], "kwargs": {"content": "Hi", "type": "human"}},
        {"lc": 1, "type": "constructor", "id": [*kinds, "AIMessageChunk"], "kwargs": {"content": "Ho"}},
        {"type": "remove", "data": {"content": "", "id": "x"}},
    ]
    assert read(dumped) == ['P user 0 "Hi"', 'P assistant 1 "Ho"']


def test_a15_plain_turns_and_ui_messages() -> None:
    turns = [
        {"speaker": "Ana", "text": "We propose 40k.", "id": "D1:1", "time": "10:02"},
        {"speaker": "Ben", "utterance": "Too low.", "caption": "a chart"},
    ]
    assert read(turns) == [
        'P Ana D1:1 time=10:02 "We propose 40k."',
        'P Ben 1 "Too low."',
        'P Ben 1 att "[image: a chart]"',
    ]
    shown = {"type": "tool-search", "toolCallId": "k", "input": {"q": "x"}, "output": "found"}
    ui = [{"id": "m", "role": "assistant", "parts": [{"type": "step-start"}, {"type": "text", "text": "Look"}, shown]}]
    assert read(ui) == [
        'P assistant m "Look"',
        'C assistant m#k →m call=k tool=search "search({\\"q\\":\\"x\\"})"',
        'C tool m#k/result →m#k att tool=search "found"',
    ]


def test_a18_sharegpt() -> None:
    log = {"id": "x", "conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}]}
    assert read(log) == ['P user 0 "Hi"', 'P assistant 1 "Hello"']


def test_many_conversations_have_headings_or_are_documents_of_their_own() -> None:
    log = [
        {"id": "a", "title": "Trip", "messages": [{"role": "user", "content": "Where to?"}]},
        {"id": "b", "messages": [{"role": "user", "content": "Why?"}]},
    ]
    assert read(log) == ['H1 "Trip"', 'P user 0 "Where to?"', 'H1 "b"', 'P user 0 "Why?"']
    export = read_chat(Source(data=json.dumps(log).encode(), format="chat", split_conversations=True))
    assert isinstance(export, ParsedExport)
    assert [(one.id, one.document.title) for one in export.conversations] == [("a", "Trip"), ("b", "b")]


def test_a_shape_that_is_no_transcript_is_refused_with_the_shapes_that_are() -> None:
    with pytest.raises(MalformedDocument, match="messages, contents, history"):
        parsed('{"rows": [1, 2]}')


def test_exports_and_logs_of_their_own_are_told_by_what_they_hold() -> None:
    def node(name: str, parent: str | None, text: str | None, role: str) -> dict[str, object]:
        content = {"content_type": "text", "parts": [text]}
        message = None if text is None else {"id": name, "author": {"role": role}, "content": content}
        return {"id": name, "parent": parent, "children": [], "message": message}

    nodes = [node("r", None, None, ""), node("a", "r", "Where to?", "user"), node("b", "a", "Oslo.", "assistant")]
    chatgpt = [{"title": "Trip", "current_node": "b", "mapping": {one["id"]: one for one in nodes}}]
    assert read(chatgpt) == ['H1 "Trip"', 'P user a "Where to?"', 'P assistant b →a "Oslo."']

    turn = {"uuid": "a", "sender": "human", "text": "see file", "content": [{"type": "text", "text": "see file"}]}
    claude = [{"uuid": "c1", "name": "Fix", "chat_messages": [turn]}]
    assert read(claude) == ['H1 "Fix"', 'P user a "see file"']

    profile = {"display_name": "mira"}
    said = {"type": "message", "user": "U1", "user_profile": profile, "text": "Heating &amp; light off?", "ts": "1.1"}
    assert read([said])[0].endswith('"Heating & light off?"')
