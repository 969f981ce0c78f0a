"""Conversations over HTTP on a real database: transcripts and minutes in, turns and their links out."""

from typing import Any

import pytest

from tests.api.test_on_postgres import Stack, stack

pytestmark = pytest.mark.anyio

__all__ = ["stack"]

CALL = """WEBVTT

00:01.000 --> 00:04.000
<v Ada Lund>Shall we replace the pump in March?

00:05.000 --> 00:08.000
<v Bo Ek>The pump has to wait until April, as the parts come late.

00:09.000 --> 00:12.000
<v Ada Lund>Agreed: the pump is replaced in April.
"""
POLICY_AND_MINUTES = """# Pump policy

Every pump is serviced once a year. The report is kept for five years by the owner of the building.

# Minutes of May

Ana: Shall we service the pump in March?

Ben (chair): The parts come late.

Ana: Then it has to be April.

Ben (chair): Agreed: the pump is serviced in April.
"""


async def document(stack: Stack, name: str) -> dict[str, Any]:
    found: dict[str, Any] = (await stack.client.get(f"/v1/documents/{name}")).json()
    return found


async def test_a_transcript_is_stored_as_messages(stack: Stack) -> None:
    job = await stack.ingest(id="call", text=CALL, format="vtt", title="Weekly call")
    assert (job["status"], job["units"]) == ("succeeded", 3)
    assert not {"profiles", "seams", "needs"} & set(job["degraded"])  # type: ignore[call-overload]

    stored = await document(stack, "call")

    assert stored["profile"] == "conversational"
    assert stored["detected"] == {"profile": "conversational", "score": None, "by": "speakers"}
    units = stored["units"]
    assert [(unit["id"], unit["kind"]) for unit in units] == [(f"m{n}", "message") for n in (1, 2, 3)]
    assert units[1]["text"] == ("[Bo Ek, 00:00:05]\nThe pump has to wait until April, as the parts come late.")
    assert units[1]["meta"] == {
        "speaker": "Bo Ek",
        "time": "00:00:05",
        "turn": "m2",
        "blocks": [1],
        "profile": "conversational",
    }


async def test_a_document_with_a_policy_and_minutes_is_both(stack: Stack) -> None:
    job = await stack.ingest(id="both", text=POLICY_AND_MINUTES, format="markdown")
    assert (job["status"], job["units"]) == ("succeeded", 5)

    stored = await document(stack, "both")

    assert [(unit["id"], unit["kind"], unit["path"]) for unit in stored["units"]] == [
        ("p1", "passage", ["Pump policy"]),
        *((f"m{number}", "message", ["Minutes of May"]) for number in range(1, 5)),
    ]
    assert stored["units"][4]["text"] == ("[Minutes of May | Ben (chair)]\nAgreed: the pump is serviced in April.")
    assert stored["data"]["sections"]["Minutes of May"] == "conversational"
    assert stored["data"]["sections"]["Pump policy"] != "conversational"
    assert {link["type"] for link in stored["links"]} <= {"reply_to", "decides", "corrects"}


async def test_a_changed_conversation_keeps_the_ids_of_what_was_said_before(stack: Stack) -> None:
    await stack.ingest(id="call", text=CALL, format="vtt")
    longer = CALL.replace("WEBVTT\n", "WEBVTT\n\n00:00.000 --> 00:00.900\n<v Cy Ott>Welcome.\n")

    job = await stack.ingest(id="call", text=longer, format="vtt")

    assert job["status"] == "succeeded"
    units = (await document(stack, "call"))["units"]
    assert [(unit["id"], unit["meta"]["turn"]) for unit in units] == [
        ("m4", "m4"),
        ("m1", "m1"),
        ("m2", "m2"),
        ("m3", "m3"),
    ]


@pytest.mark.parametrize("text", [CALL, POLICY_AND_MINUTES])
async def test_a_question_is_answered_from_what_was_said(stack: Stack, text: str) -> None:
    await stack.ingest(id="talk", text=text, format="vtt" if text is CALL else "markdown")

    answer = await stack.client.post("/v1/retrieve", json={"query": "Why does the pump have to wait: parts come late?"})

    assert answer.status_code == 200, answer.text
    assert "parts come late" in answer.json()["text"]


async def test_the_callers_profile_is_kept(stack: Stack) -> None:
    job = await stack.ingest(id="notes", text="We met.\n\nWe parted.", format="text", profile="conversational")
    assert job["status"] == "succeeded"

    stored = await document(stack, "notes")

    assert stored["detected"] == {"profile": "conversational", "score": None, "by": "caller"}
    assert [unit["text"] for unit in stored["units"]] == ["[unattributed]\nWe met.\n\nWe parted."]
