"""Secrets in chat logs (conversations design, f.12)."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversations.redaction import redact, redacted
from app.documents.block import Block, ParsedDocument
from tests.unit.conversations.spoken import heading, result, said


def masked(text: str) -> str:
    ((block,), _) = redact([result(text)])
    return block.text


KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nq+w/3=\n-----END RSA PRIVATE KEY-----"
WEB_TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"


@pytest.mark.parametrize(
    "token",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghij_klmnopqrstuvwxyz",
        "glpat-abcDEF123456_7890xyz",
        "xoxb-123456789012-abcdefghij",
        "xoxp-123456789012-abcdefghij",
        "sk-proj-abc123DEF456ghi789",
        "sk-ant-api03-AAAAbbbbCCCC1234",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    ],
)
def test_f12_tokens_by_prefix(token: str) -> None:
    assert masked(f"got {token}, then") == "got [redacted: access token], then"
    assert masked(f'{{"t":"{token}"}}') == '{"t":"[redacted: access token]"}'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"a {KEY}\nb", "a [redacted: private key]\nb"),
        (KEY.replace("\n", "\\n"), "[redacted: private key]"),
        (KEY.replace("RSA ", "") + KEY, "[redacted: private key][redacted: private key]"),
        (KEY.replace("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"), "[redacted: private key]"),
        # Cut off: by the end of the text, by another one.
        (KEY[:60], "[redacted: private key]"),
        (KEY[:60] + "\n" + KEY, "[redacted: private key]\n[redacted: private key]"),
    ],
)
def test_f12_private_keys(text: str, expected: str) -> None:
    assert masked(text) == expected


def test_f12_json_web_tokens() -> None:
    assert masked(f"id={WEB_TOKEN}.") == "id=[redacted: json web token]."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Authorization: Bearer abcdef", "Authorization: [redacted: authorization]"),
        ("authorization: token deadbeefcafe\nHost: x", "authorization: [redacted: authorization]\nHost: x"),
        ("curl -H 'Authorization: Basic dTpw' x", "curl -H 'Authorization: [redacted: authorization]' x"),
        ('{"Authorization":"Bearer abcd"}', '{"Authorization":"[redacted: authorization]"}'),
        ("Proxy-Authorization: Basic dTpw", "Proxy-Authorization: [redacted: authorization]"),
        (f"Authorization: Bearer {WEB_TOKEN}", "Authorization: [redacted: authorization]"),
        ("Authorization: 0123456789abcdef", "Authorization: [redacted: authorization]"),
    ],
)
def test_f12_authorization_values(text: str, expected: str) -> None:
    assert masked(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("postgres://atlas:s3cr3t@db:5432/x", "postgres://atlas:[redacted: password]@db:5432/x"),
        ("https://:abc@example.org", "https://:[redacted: password]@example.org"),
        ("redis://u:p:q@[::1]/0", "redis://u:[redacted: password]@[::1]/0"),
    ],
)
def test_f12_passwords_in_urls(text: str, expected: str) -> None:
    assert masked(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export DB_PASSWORD=hunter2", "export DB_PASSWORD=[redacted: password]"),
        ('DB_PASSWORD="two words"', 'DB_PASSWORD="[redacted: password]"'),
        ("PASSWORD=1234", "PASSWORD=[redacted: password]"),
        ("SMTP_PASS='abc'", "SMTP_PASS='[redacted: password]'"),
        ("STRIPE_SECRET=foo", "STRIPE_SECRET=[redacted: secret value]"),
        ("MY_TOKEN=abc&x=1", "MY_TOKEN=[redacted: secret value]&x=1"),
        ("A_KEY=abc\nB_KEY=def", "A_KEY=[redacted: secret value]\nB_KEY=[redacted: secret value]"),
        ('{"o":"A_KEY=abc\\nB=1"}', '{"o":"A_KEY=[redacted: secret value]\\nB=1"}'),
        ("POSTGRES_PASSWORD: postgres\n", "POSTGRES_PASSWORD: [redacted: password]\n"),
        ('{"api_key":"A1b2C3d4"}', '{"api_key":"[redacted: secret value]"}'),
        ('{\\"password\\": \\"hunter\\"}', '{\\"password\\": \\"[redacted: password]\\"}'),
        ("login(password=hunter2)", "login(password=[redacted: password])"),
        ("access_token=abc12345", "access_token=[redacted: secret value]"),
    ],
)
def test_f12_values_of_variables(text: str, expected: str) -> None:
    assert masked(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "550e8400-e29b-41d4-a716-446655440000",
        "max_tokens=400, MAX_TOKENS=400, MAX_TOKEN=400",
        "the task-force-2024-report and disk-usage-report-2024-11-05",
        "sk-learn-contrib-something-else",
        "ask-sk-1234567890123456789",
        "Authorization: you need to ask the administrators",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "API_KEY=$API_KEY and API_KEY=${KEY} and API_KEY=",
        'API_KEY=os.environ["X"]',
        "api_key=config.api_key2, password=None, password=password",
        "API_KEY=<your key> or API_KEY=your-key-here",
        "password: must be at least 8 characters",
        'password: str\napi_key: str = "x"',
        'if API_KEY == "abcdefgh1":',
        "token = next_token(3)",
        "PASS: test_1\nBYPASS=1 MONKEY=banana1 COMPASS=north1",
        "sort_key=name2 primary_key=True",
        "The secret: always whisk.",
        "http://host:8080/@x and https://user@host/x and mail me:now@home",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "eyJust a word.",
    ],
)
def test_f12_what_is_no_secret_stays(text: str) -> None:
    assert masked(text) == text


def test_counts_are_per_kind_and_every_block_is_looked_at() -> None:
    blocks = [heading("A_KEY=abc"), said("A_KEY=abc B_KEY=def", "Ann"), result("postgres://u:p@h"), said("ok", "Bo")]
    found, counts = redact(blocks)

    assert counts == {"password": 1, "secret value": 3}
    assert found[3] is blocks[3]
    assert found[1].meta == {"speaker": "Ann"}
    assert [block.text for block in found[:2]] == [
        "A_KEY=[redacted: secret value]",
        "A_KEY=[redacted: secret value] B_KEY=[redacted: secret value]",
    ]


def test_a_document_says_what_was_masked() -> None:
    parsed = ParsedDocument(
        blocks=(said("A_KEY=abc", "Ann"),),
        title="Rotate A_KEY=abc",
        warnings=("One line was skipped.",),
        data={"conversation": {"items": 1}},
    )

    found = redacted(parsed)

    assert found.title == "Rotate A_KEY=[redacted: secret value]"
    assert found.data == {"conversation": {"items": 1, "redacted": {"secret value": 1}}}
    assert found.warnings == (
        "One line was skipped.",
        "Secrets were masked before anything was stored: secret value (1).",
    )


def test_a_document_without_secrets_says_nothing() -> None:
    parsed = ParsedDocument(blocks=(said("Hello.", "Ann"),), title="Call")

    assert redacted(parsed) == parsed


PIECES = st.sampled_from(
    [
        *(
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "eyJ",
            "sk-",
            "ghp_",
            "Authorization: ",
            "Bearer ",
        ),
        *(
            "A_KEY=",
            "password",
            ": ",
            '"',
            "\\",
            "://",
            ":",
            "@",
            "a1b2c3d4e5f6a7b8",
            "abc",
            " ",
            "\n",
            "水",
            "[redacted: ",
        ),
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_masking_twice_is_masking_once_and_only_masks_are_new(text: str) -> None:
    once = masked(f"x{text}x")

    assert masked(once) == once
    assert once.startswith("x")


@pytest.mark.parametrize(
    "piece",
    [
        *("-----BEGIN RSA PRIVATE KEY-----", "A", "AAAA_", "password=", "://a:", "eyJaaaaaaaaaaaa.", "sk-", "secret='"),
        *("authorization: ", "Authorization: Bearer ", "abcd ", "_KEY", "\\\\", "password : "),
    ],
)
def test_time_is_linear(piece: str) -> None:
    def seconds(size: int) -> float:
        block = [result("Authorization: Bearer " + piece * (size // len(piece)))]
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            redact(block)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(400_000) < 8 * max(seconds(100_000), 0.01)


def test_a_megabyte_takes_under_a_second() -> None:
    line = "    return api_key, x  # the key and the token of password: see https://example.org/a?b=c\n"
    blocks: list[Block] = [result(line * (1_000_000 // len(line)))]

    start = time.process_time()
    redact(blocks)
    assert time.process_time() - start < 1
