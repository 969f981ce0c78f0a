"""BM25 over packed postings: the database finds them, the process scores them (documents design, "Search").

A search takes two statements in one snapshot: the postings of the question's terms with the collection's totals, then
the units of the best.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.adapters.postgres.engine import snapshot
from app.adapters.postgres.rows import HIT_COLUMNS, to_hit
from app.documents.document import UnitHit
from app.ports.term_index import TermSearch, TermSpace
from app.terms.bm25 import Scored, TermPostings, best
from app.terms.languages import DEFAULT
from app.terms.stored import exact_query, folded_query

_COLLECTION = "wanted AS (SELECT id, languages FROM collections WHERE name = :collection)"
_TOTALS = """
    SELECT NULL AS term, coalesce(sum(s.units), 0) AS df, NULL::bytea AS narrow, NULL::bytea AS wide,
           coalesce(sum(s.exact_length), 0) AS exact_length, coalesce(sum(s.folded_length), 0) AS folded_length,
           (SELECT id FROM wanted) AS collection, (SELECT languages FROM wanted) AS languages
    FROM segments s WHERE s.collection_id = (SELECT id FROM wanted)
"""
_ASKED = "unnest(CAST(:terms AS text[])) AS asked (term)"
_OF_TERM = "FROM postings p WHERE p.collection_id = (SELECT id FROM wanted) AND p.term = asked.term"
#: The data of a term's rows by the code that they are packed in.
_RECORDS = """
    string_agg(p.data, ''::bytea) FILTER (WHERE p.code = 0) AS narrow,
    string_agg(p.data, ''::bytea) FILTER (WHERE p.code = 1) AS wide
"""

#: One row for the collection, then one for each term that occurs in it, with all its records.
SEARCH = f"""
    WITH {_COLLECTION}
    SELECT totals.*, NULL::bigint[] AS keys, NULL::text[] AS names FROM ({_TOTALS}) totals
    UNION ALL
    SELECT asked.term, found.df, found.narrow, found.wide, NULL, NULL, NULL, NULL, NULL, NULL
    FROM {_ASKED}, LATERAL (SELECT sum(p.df) AS df, {_RECORDS} {_OF_TERM}) found
    WHERE found.df IS NOT NULL
"""  # noqa: S608 - constants
#: The same for some documents: counts come from the whole collection's index alone, records from theirs.
SCOPED_SEARCH = f"""
    WITH {_COLLECTION}, scope AS MATERIALIZED (
        SELECT d.key, d.id, d.segment_id FROM documents d
        WHERE d.collection_id = (SELECT id FROM wanted) AND d.id = ANY(:documents) AND d.live_version IS NOT NULL
    )
    SELECT totals.*, ARRAY(SELECT key FROM scope) AS keys, ARRAY(SELECT id FROM scope) AS names FROM ({_TOTALS}) totals
    UNION ALL
    SELECT asked.term, counted.df, found.narrow, found.wide, NULL, NULL, NULL, NULL, NULL, NULL
    FROM {_ASKED}, LATERAL (SELECT sum(p.df) AS df {_OF_TERM}) counted,
         LATERAL (SELECT {_RECORDS} {_OF_TERM} AND p.segment_id = ANY(ARRAY(SELECT segment_id FROM scope))) found
    WHERE counted.df IS NOT NULL
"""  # noqa: S608 - constants
_UNITS = text(f"""
    SELECT {HIT_COLUMNS} FROM unnest(CAST(:documents AS bigint[]), CAST(:ordinals AS integer[])) WITH ORDINALITY
        AS found (document, ordinal, place)
    JOIN documents d ON d.collection_id = :collection AND d.key = found.document
    JOIN units u ON u.collection_id = :collection AND u.document_key = found.document AND u.ordinal = found.ordinal
    ORDER BY found.place
""")  # noqa: S608 - constants
_SEARCH = text(SEARCH)
_SCOPED_SEARCH = text(SCOPED_SEARCH)

#: Collections whose languages a process remembers.
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What the index holds for a question. `collection` is None when there is no such collection."""

    collection: int | None
    languages: frozenset[str]
    units: int
    average_length: float
    terms: Sequence[TermPostings]
    #: Keys and ids of the documents that the search is limited to and that exist; None when it is not limited.
    keys: frozenset[int] | None
    names: frozenset[str]


class PostgresTermIndex:
    """Finds units. See the port `TermIndex`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # Languages that collections are known to have. What is missing here is noticed and costs a statement more.
        self._languages: dict[str, frozenset[str]] = {}

    async def search(
        self, collection: str, query: str, *, space: TermSpace, limit: int, documents: Sequence[str] | None
    ) -> TermSearch:
        """Return the `limit` best units for `query` in one snapshot of the collection."""
        asked = list(dict.fromkeys(documents or ()))
        async with snapshot(self._engine) as connection:
            found = await self._find(connection, collection, query, space, None if documents is None else asked)
            scored = await asyncio.to_thread(_best, found, limit)
            hits = await _hits(connection, collection, found.collection, scored)
        return TermSearch(hits, tuple(name for name in asked if name not in found.names))

    async def _find(
        self,
        connection: AsyncConnection,
        collection: str,
        query: str,
        space: TermSpace,
        documents: Sequence[str] | None,
    ) -> _Found:
        languages = self._languages.get(collection, frozenset({DEFAULT}))
        found = await _find(connection, collection, _terms(query, space, languages), space, documents)
        if found.languages <= languages:
            return found
        self._remember(collection, languages | found.languages)
        if space is TermSpace.EXACT:
            return found
        return await _find(connection, collection, _terms(query, space, found.languages), space, documents)

    def _remember(self, collection: str, languages: frozenset[str]) -> None:
        if len(self._languages) >= _REMEMBERED:
            self._languages.clear()
        self._languages[collection] = languages


def _terms(query: str, space: TermSpace, languages: Iterable[str]) -> list[str]:
    return exact_query(query) if space is TermSpace.EXACT else folded_query(query, languages)


async def _find(
    connection: AsyncConnection,
    collection: str,
    terms: Sequence[str],
    space: TermSpace,
    documents: Sequence[str] | None,
) -> _Found:
    values = {"collection": collection, "terms": terms}
    if documents is None:
        rows = await connection.execute(_SEARCH, values)
    else:
        rows = await connection.execute(_SCOPED_SEARCH, {**values, "documents": documents})
    return _found(rows.mappings().all(), space)


def _found(rows: Iterable[RowMapping], space: TermSpace) -> _Found:
    # Terms go in byte order, whatever order the database returned them in; the totals' empty one comes first.
    totals, *terms = sorted(rows, key=lambda row: row["term"] or "")
    units = int(totals["df"])
    length = totals["exact_length"] if space is TermSpace.EXACT else totals["folded_length"]
    return _Found(
        collection=totals["collection"],
        languages=frozenset(totals["languages"] or ()),
        units=units,
        average_length=int(length) / units if units else 0.0,
        terms=[_postings(row) for row in terms],
        keys=None if totals["keys"] is None else frozenset(totals["keys"]),
        names=frozenset(totals["names"] or ()),
    )


def _postings(row: RowMapping) -> TermPostings:
    packed = enumerate((row["narrow"], row["wide"]))
    return TermPostings(int(row["df"]), [(code, data) for code, data in packed if data is not None])


def _best(found: _Found, limit: int) -> list[Scored]:
    return best(
        found.terms,
        units=found.units,
        average_length=found.average_length,
        limit=limit,
        document_keys=found.keys,
    )


async def _hits(
    connection: AsyncConnection, name: str, collection: int | None, scored: Sequence[Scored]
) -> tuple[UnitHit, ...]:
    if not scored:
        return ()
    rows = await connection.execute(
        _UNITS,
        {
            "collection": collection,
            "documents": [unit.document_key for unit in scored],
            "ordinals": [unit.ordinal for unit in scored],
        },
    )
    return tuple(to_hit(row, name, unit.score) for row, unit in zip(rows.mappings(), scored, strict=True))
