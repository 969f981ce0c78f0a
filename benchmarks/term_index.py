"""Top-20 exact-term search over 100,000 units: packed postings beside a row per posting, on the same data.

    python -m benchmarks.term_index [--units 100000] [--text FILE ...]

The text is made: words of `examples/*.md` and of any files given, as frequent as Zipf's law has them, with a long tail
of rare ones. Both layouts are loaded in document order, get their index afterwards, and answer the same questions from
a warm server, units included.
"""

import argparse
import asyncio
import re
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from app.adapters.postgres.engine import create_engine
from app.adapters.postgres.migrate import upgrade
from app.adapters.postgres.term_index import PostgresTermIndex
from app.ports.term_index import TermSpace
from app.terms.bm25 import K1, B
from app.terms.exact import exact_terms
from app.terms.postings import pack
from app.terms.unit_terms import UnitTerms
from tests.servers import postgres_server

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
UNITS_PER_DOCUMENT = 50
WORDS_PER_UNIT = 90
VOCABULARY = 60_000
QUESTIONS = 20
ROUNDS = 2
TOP = 20

COPY_POSTINGS = "COPY postings (collection_id, term, segment_id, code, df, data) FROM STDIN (FORMAT BINARY)"
ROW_LAYOUT = """
    CREATE TABLE row_postings (
        collection_id integer NOT NULL, term text COLLATE "C" NOT NULL, document_key bigint NOT NULL,
        ordinal integer NOT NULL, count integer NOT NULL, length integer NOT NULL
    )
"""
ROW_INDEX = """
    ALTER TABLE row_postings ADD PRIMARY KEY (collection_id, term, document_key, ordinal) INCLUDE (count, length)
"""
ROW_SEARCH = text(f"""
    WITH totals AS (
        SELECT sum(units) AS n, greatest(sum(exact_length)::float8 / sum(units), 1) AS average
        FROM segments WHERE collection_id = 1
    ), found AS MATERIALIZED (
        SELECT term, document_key, ordinal, count, length FROM row_postings
        WHERE collection_id = 1 AND term = ANY(:terms)
    ), weights AS (
        SELECT term, ln(1 + (n - count(*) + 0.5) / (count(*) + 0.5))::float8 AS idf FROM found, totals GROUP BY term, n
    ), best AS (
        SELECT document_key, ordinal,
               sum(idf * count * {K1 + 1} / (count + {K1} * ({1 - B} + {B} * length / average))) AS score
        FROM found JOIN weights USING (term), totals
        GROUP BY document_key, ordinal ORDER BY score DESC, document_key, ordinal LIMIT {TOP}
    )
    SELECT best.*, u.id, u.text, u.path FROM best
    JOIN units u ON u.collection_id = 1 AND u.document_key = best.document_key AND u.ordinal = best.ordinal
    ORDER BY score DESC, document_key, ordinal
""")


def main() -> None:
    """Build both layouts, ask, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, default=100_000)
    parser.add_argument("--text", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    words = vocabulary([*sorted(EXAMPLES.glob("*.md")), *options.text])
    with postgres_server() as server:
        url = server.create_database("benchmark")
        upgrade(url)
        load(url, words, options.units // UNITS_PER_DOCUMENT)
        asyncio.run(ask(url, questions(words)))


def vocabulary(files: Iterable[Path]) -> list[str]:
    """Return words, most frequent first, continued with made-up rare ones."""
    counts = Counter(term for file in files for term in exact_terms(file.read_text()) if re.fullmatch("[a-z]+", term))
    known = [word for word, _ in counts.most_common(VOCABULARY)]
    rare = (f"{known[number % len(known)]}{number}" for number in range(VOCABULARY - len(known)))
    return [*known, *rare]


def questions(words: Sequence[str]) -> list[str]:
    """Return ordinary questions: a few of the most frequent words, some that are usual, one that is rare."""
    random = np.random.default_rng(7)

    def some(lowest: int, highest: int, count: int) -> list[str]:
        return [words[place] for place in random.integers(lowest, highest, count)]

    return [" ".join([*some(0, 12, 3), *some(40, 600, 3), *some(2000, 40_000, 1)]) for _ in range(QUESTIONS)]


def load(url: str, words: Sequence[str], documents: int) -> None:
    """Fill both layouts, document by document."""
    began = time.perf_counter()
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = '512MB'")
        cursor.execute("ALTER TABLE postings DROP CONSTRAINT postings_pkey")
        cursor.execute(ROW_LAYOUT)
        cursor.execute("INSERT INTO collections (name, languages) VALUES ('default', '{en}')")
        cursor.execute(
            "INSERT INTO documents (collection_id, id, live_version, segment_id, title, updated_at) "
            "SELECT 1, 'document ' || n, 1, n, 'Document', now() FROM generate_series(1, %s) n ORDER BY n",
            [documents],
        )
        postings = 0
        for start in range(1, documents + 1, 100):
            postings += fill(cursor, words, range(start, min(start + 100, documents + 1)))
        print(f"{documents * UNITS_PER_DOCUMENT:,} units, {postings:,} postings", end=", ", flush=True)
        cursor.execute(
            "ALTER TABLE postings ADD CONSTRAINT postings_pkey "
            "PRIMARY KEY (collection_id, term, segment_id, code) INCLUDE (df)"
        )
        cursor.execute(ROW_INDEX)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        for name, pattern in (("packed", "postings%"), ("a row per posting", "row_postings%")):
            sizes = connection.execute(
                "SELECT sum(pg_table_size(oid)) / 1e6, sum(pg_indexes_size(oid)) / 1e6 FROM pg_class "
                "WHERE relname LIKE %s AND relkind = 'r'",
                [pattern],
            )
            for table, index in sizes:
                print(f"{name}: {table:.0f} MB and {index:.0f} MB of index", end=", ")
    print(f"loaded in {time.perf_counter() - began:.0f} s")


def fill(cursor: psycopg.Cursor[Any], words: Sequence[str], keys: range) -> int:
    """Load some documents into both layouts and return how many postings they have."""
    made = {key: make_units(words, key) for key in keys}
    terms = {key: [count(unit) for unit in units] for key, units in made.items()}
    with cursor.copy("COPY units (collection_id, document_key, ordinal, id, kind, text, length) FROM STDIN") as copy:
        for key, units in made.items():
            for ordinal, unit in enumerate(units):
                length = terms[key][ordinal].exact_length
                copy.write_row((1, key, ordinal, f"p{ordinal + 1}", "passage", unit, length))
    with cursor.copy("COPY segments (collection_id, units, exact_length, folded_length, terms) FROM STDIN") as copy:
        for each in terms.values():
            copy.write_row((1, len(each), sum(unit.exact_length for unit in each), 0, []))
    with cursor.copy(COPY_POSTINGS) as copy:
        copy.set_types(["int4", "text", "int8", "int2", "int4", "bytea"])
        for key, each in terms.items():
            for row in pack(each, "en", key):
                copy.write_row((1, row.term, key, row.code, row.df, row.data))
    total = 0
    with cursor.copy("COPY row_postings FROM STDIN") as copy:
        for key, each in terms.items():
            lines = [
                f"1\t{term}\t{key}\t{ordinal}\t{number}\t{unit.exact_length}\n"
                for ordinal, unit in enumerate(each)
                for term, number in unit.exact.items()
            ]
            total += len(lines)
            copy.write("".join(lines))
    return total


def make_units(words: Sequence[str], seed: int) -> list[str]:
    """Return the texts of a document's units."""
    random = np.random.default_rng(seed)
    weights = 1 / (np.arange(len(words)) + 2.7)
    lengths = random.integers(WORDS_PER_UNIT // 2, WORDS_PER_UNIT * 3 // 2, UNITS_PER_DOCUMENT)
    places = np.searchsorted(np.cumsum(weights / weights.sum()), random.random(int(lengths.sum())))
    chosen = [words[min(place, len(words) - 1)] for place in places.tolist()]
    ends = np.cumsum(lengths).tolist()
    return [" ".join(chosen[end - length : end]) for end, length in zip(ends, lengths.tolist(), strict=True)]


def count(unit: str) -> UnitTerms:
    """Count a unit's exact terms; the folded space, which the row layout lacks, stays empty."""
    terms = Counter(exact_terms(unit))
    return UnitTerms(exact=terms, folded={}, exact_length=terms.total(), folded_length=0)


async def ask(url: str, asked: Sequence[str]) -> None:
    """Put the questions to both layouts, check that they agree, and print how long they took."""
    engine = create_engine(url)
    index = PostgresTermIndex(engine)
    scope = [f"document {number}" for number in range(1, 21)]

    async def packed(question: str) -> list[float]:
        found = await index.search("default", question, space=TermSpace.EXACT, limit=TOP, documents=None)
        return [hit.score for hit in found.hits]

    async def limited(question: str) -> list[float]:
        found = await index.search("default", question, space=TermSpace.EXACT, limit=200, documents=scope)
        return [hit.score for hit in found.hits]

    async def by_row(question: str) -> list[float]:
        return await search_rows(engine, sorted(set(exact_terms(question))))

    for question in asked:
        if not np.allclose(await packed(question), await by_row(question), rtol=1e-9):
            raise SystemExit(f"The layouts disagree about {question!r}.")
    await show("packed, top 20", packed, asked)
    await show("a row per posting, top 20", by_row, asked)
    await show("packed, top 200 of 20 documents", limited, asked)
    await engine.dispose()


async def search_rows(engine: AsyncEngine, terms: list[str]) -> list[float]:
    """BM25 in SQL over a row per posting."""
    async with engine.connect() as connection:
        return [row.score for row in await connection.execute(ROW_SEARCH, {"terms": terms})]


async def show(name: str, search: Callable[[str], Awaitable[list[float]]], asked: Sequence[str]) -> None:
    """Time a way to search over all questions, several times, and print the quantiles."""
    for question in asked:
        await search(question)
    taken: list[float] = []
    for question in [*asked] * ROUNDS:
        began = time.perf_counter()
        await search(question)
        taken.append((time.perf_counter() - began) * 1000)
    p95 = statistics.quantiles(taken, n=20)[-1]
    print(f"{name}: p50 {statistics.median(taken):.1f} ms, p95 {p95:.1f} ms")


if __name__ == "__main__":
    main()
