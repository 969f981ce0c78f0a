"""The committed documents of the interface.

`python -m app.api.openapi` writes `spec/openapi.json` and `spec/config.schema.json`; with `--check` it compares them
instead and exits 1 when they differ from the code.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from app.api.application import build
from app.api.dependencies import ApiLimits
from app.api.openapi_document import document
from app.api.schemas.config import ConfigKeys

SPEC = Path(__file__).parents[2] / "spec"


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration keys."""
    schema = ConfigKeys.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Config",
    }


def _files(app: FastAPI) -> dict[str, str]:
    contents = {"openapi.json": document(app), "config.schema.json": config_schema()}
    return {name: json.dumps(content, indent=2, ensure_ascii=False) + "\n" for name, content in contents.items()}


def main(arguments: list[str]) -> int:
    """Write the committed documents, or compare them; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m app.api.openapi", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args(arguments).check
    limits = ApiLimits(
        max_body_bytes=0, reader_seconds=0, reader_memory_mb=0, decisions_per_job=0, decisions_per_query=0
    )
    stale = []
    for name, text in _files(build(limits)).items():
        path = SPEC / name
        if check and not (path.is_file() and path.read_text(encoding="utf-8") == text):
            stale.append(name)
        elif not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.stderr.write(f"spec/ differs from the code in {', '.join(stale)}: run python -m app.api.openapi\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
