"""What a question costs in statements: two before its candidates are judged."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from app.documents.context import RetrieveQuery
from app.documents.decision import Answer, Question
from app.documents.profile import Profile
from app.operations.retrieve import Retrieve
from app.ports.term_index import TermSpace
from app.retrieval.questions import Answers, AnswerScope, Scope
from tests.builders import a_document, a_unit
from tests.contract.conftest import Stores
from tests.fakes.scripted_model import ScriptedModel, chosen, yes
from tests.postgres.test_term_index import statements
from tests.unit.operations.nearby import ImpatientClock

pytestmark = pytest.mark.anyio


async def test_two_statements_before_judging_and_two_after(stores: Stores, engine: AsyncEngine) -> None:
    steps = [a_unit(f"Step {n} of the pump.", id=f"p{n}", profile=Profile.PROCEDURAL) for n in range(1, 9)]
    await stores.put(a_document(id="manual", units=steps, needs=[("p2", "p1")]))
    # The languages of the collection are known from now on.
    await stores.index.search("default", "pump", space=TermSpace.FOLDED, limit=1, documents=None)
    sent_before: set[int] = set()

    def script(question: Question) -> Answer:
        sent_before.add(len(sent))
        if isinstance(question, AnswerScope):
            return chosen(Scope.ALL_STEPS)
        return yes(0.9 if isinstance(question, Answers) and "Step 2" in question.passage else 0.1)

    retrieve = Retrieve(
        term_index=stores.index,
        vector_search=None,
        documents=stores.documents,
        decisions=ScriptedModel(script),
        cache=None,
        clock=ImpatientClock(stopped=True),
        max_questions=200,
    )
    with statements(engine) as sent:
        context = await retrieve.run(RetrieveQuery(query="pump"))
        assert sent_before == {2}
        # The section, and the links of what was gathered.
        assert len(sent) == 4
    assert [source.unit for source in context.sources] == [f"p{n}" for n in range(1, 9)]
