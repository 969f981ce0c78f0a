"""How long a question takes over HTTP: alone, and with ten clients at once.

    python -m benchmarks.retrieve

Starts the whole service in a temporary directory, ingests the example documents, and asks each question of the list
many times with the offline engine. Prints p50 and p95 in milliseconds, and the errors, which should be none.
"""

import concurrent.futures
import statistics
import time

import httpx

from benchmarks.server import ingest_examples, running_service

QUESTIONS = (
    "How many days do I have to return an unopened controller?",
    "Who pays for the return if the goods arrived damaged?",
    "Which terminals does the float switch connect to?",
    "Which firmware version fixed the false dry-run alarm after a power cut?",
    "What is the restocking charge?",
    "How do I set the overrun time?",
    "What changed in version 4.2.0?",
    "Can I pay for an order in instalments?",
)
ROUNDS = 20
CLIENTS = 10


def ask(client: httpx.Client, question: str) -> float:
    """Ask one question and return the milliseconds it took; raise for any answer but 200."""
    started = time.perf_counter()
    client.post("/v1/retrieve", json={"query": question, "max_tokens": 400}).raise_for_status()
    return (time.perf_counter() - started) * 1000


def report(label: str, milliseconds: list[float], errors: int) -> None:
    """Print one line of figures."""
    cuts = statistics.quantiles(milliseconds, n=100)
    figures = f"p50 {cuts[49]:7.1f} ms   p95 {cuts[94]:7.1f} ms   errors {errors}"
    print(f"{label:<24} {len(milliseconds):>5} questions   {figures}")


def one_client(base_url: str, rounds: int) -> tuple[list[float], int]:
    """Ask every question `rounds` times over one connection; return the times and how many failed."""
    times: list[float] = []
    errors = 0
    with httpx.Client(base_url=base_url, timeout=60) as client:
        for _ in range(rounds):
            for question in QUESTIONS:
                try:
                    times.append(ask(client, question))
                except httpx.HTTPError as error:
                    errors += 1
                    print(f"error: {error}")
    return times, errors


def main() -> None:
    """Run the benchmark."""
    with running_service() as client:
        ingest_examples(client)
        base_url = str(client.base_url)
        one_client(base_url, 2)
        report("one client", *one_client(base_url, ROUNDS))
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            results = list(pool.map(lambda _: one_client(base_url, ROUNDS // 4), range(CLIENTS)))
        report(
            f"{CLIENTS} clients at once",
            [value for times, _ in results for value in times],
            sum(errors for _, errors in results),
        )


if __name__ == "__main__":
    main()
