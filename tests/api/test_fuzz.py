"""Requests made from the OpenAPI document: whatever they are, the answers are those that the document promises."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from app.main import create_app
from app.settings import Settings
from tests.api.conftest import REFUNDS, Backstage, agree

_behind = Backstage(Settings(), agree)
_behind.jobs.looks_until_finished = 0
_behind.shelve(REFUNDS)
schema = schemathesis.openapi.from_asgi("/openapi.json", create_app(Settings(), _behind.services))


@pytest.mark.slow
@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_promised(case: schemathesis.Case[Any]) -> None:
    # What a schema can't say, such as "either text or blocks", is refused although it fits: that check stays out.
    response = case.call_and_validate(excluded_checks=[positive_data_acceptance])
    assert response.status_code < 500
