from dataclasses import fields
from pathlib import Path

from app.settings import Settings

README = (Path(__file__).parent.parent.parent / "README.md").read_text("utf-8")


def test_every_setting_is_described() -> None:
    groups = (getattr(Settings(), group.name) for group in fields(Settings))
    settings = [field for group in groups for field in type(group).model_fields.values()]

    assert len(settings) > 20
    missing = [
        field.validation_alias
        for field in settings
        if f"| `{field.validation_alias}` |" not in README or str(field.description) not in README
    ]
    assert missing == []
