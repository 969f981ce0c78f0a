import json

import pytest
from jsonschema import Draft202012Validator

from app.api.openapi import SPEC, config_schema, main
from app.documents.config import Config
from tests.api.conftest import Api

pytestmark = pytest.mark.anyio

CAMEL = r"^[a-z]+([A-Z][a-z]+)+$"


async def test_every_operation_has_its_name_example_and_problems(api: Api) -> None:
    document = (await api.client.get("/openapi.json")).json()
    assert document["openapi"] == "3.1.0"
    names = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            names.append(operation["operationId"])
            assert operation["tags"], path
            assert operation["summary"], path
            assert "example" in json.dumps(operation), path
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert answer["content"] == {
                        "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                    }, (path, method, status)
    assert len(names) == len(set(names)) == 23
    assert "HTTPValidationError" not in document["components"]["schemas"]


async def test_examples_fit_their_schemas(api: Api) -> None:
    document = (await api.client.get("/openapi.json")).json()
    for item in document["paths"].values():
        for operation in item.values():
            for holder in (operation.get("requestBody", {}), *operation["responses"].values()):
                for media in holder.get("content", {}).values():
                    if "example" in media:
                        schema = {**media["schema"], "components": document["components"]}
                        Draft202012Validator(schema).validate(media["example"])


async def test_every_reference_leads_somewhere(api: Api) -> None:
    document = (await api.client.get("/openapi.json")).json()
    names = {ref.removeprefix("#/components/schemas/") for ref in _refs(document)}
    assert names <= set(document["components"]["schemas"])


def test_the_committed_documents_are_those_of_the_code() -> None:
    assert main(["--check"]) == 0


def test_the_configuration_schema_has_every_key_with_its_default() -> None:
    schema = json.loads((SPEC / "config.schema.json").read_text())
    assert schema == config_schema()
    default = Config()
    assert {name: entry["default"] for name, entry in schema["properties"].items()} == {
        name: getattr(default, name) for name in Config.__slots__
    }
    assert schema["additionalProperties"] is False


async def test_the_documentation_asks_no_other_host(api: Api) -> None:
    page = await api.client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert "http" not in page.text.replace("http-equiv", "")
    for name in ("swagger-ui-bundle.js", "swagger-ui.css", "favicon.png"):
        assert f"/docs/files/{name}" in page.text
        assert (await api.client.get(f"/docs/files/{name}")).status_code == 200


async def test_formats_are_those_of_the_readers(api: Api) -> None:
    formats = {entry["name"]: entry for entry in (await api.client.get("/v1/formats")).json()["formats"]}
    assert {"markdown", "text", "blocks"} <= set(formats)
    assert "md" in formats["markdown"]["extensions"]
    assert formats["text"]["media_types"] == ["text/plain"]


async def test_limits_are_those_in_force(api: Api) -> None:
    limits = (await api.client.get("/v1/limits")).json()
    assert limits["body_bytes"] == 1024 * 1024
    assert limits["json_depth"] == 200


def _refs(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [ref for item in value.values() for ref in _refs(item)]
    if isinstance(value, list):
        return [ref for item in value for ref in _refs(item)]
    return []
