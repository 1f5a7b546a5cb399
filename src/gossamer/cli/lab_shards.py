"""`gossamer lab shards`: what a question moves between machines, by the way an index is cut."""

from typing import Annotated

import typer


def shards(
    pages: Annotated[int, typer.Option(help="Pages in the index.", min=1000)] = 100_000_000,
    machines: Annotated[int, typer.Option(help="Machines that it lies on.", min=1)] = 16,
    best: Annotated[int, typer.Option(help="Pages that each machine answers with.", min=1)] = 50,
    questions: Annotated[int, typer.Option(help="Questions of each length.", min=1)] = 2000,
    seed: Annotated[int, typer.Option(help="Seed of the questions.", min=0)] = 1,
) -> int:
    """Count the bytes that a question moves in an index that is cut by document, and in one cut by term."""
    from gossamer.base.quantities import write_bytes
    from gossamer.lab.shards import NUMBER, QUESTION, Collection, by_document, compare

    collection = Collection(pages)
    known = by_document(2, machines, best, knows_statistics=True)
    print(
        f"{pages:,} pages on {machines} machines, the best {best} of each; bytes for a question\n"
    )
    print("words   by document   messages    by term   messages   1 in 100   busiest reads")
    for row in compare(collection, machines, best, questions, seed):
        document, term = write_bytes(row.document.bytes), write_bytes(row.term.bytes)
        print(
            f"{row.words:>5}{document:>14}{row.document.messages:>11.0f}{term:>11}"
            f"{row.term.messages:>11.1f}{write_bytes(row.worst):>11}"
            f"{100 * row.document.busiest:>6.0f} % {100 * row.term.busiest:>4.0f} %"
        )
    there, back = QUESTION + 2 * NUMBER, QUESTION + best * 2 * NUMBER
    print(
        f"\nBy document, two words: {machines} x ({there} + {there}) for the statistics, "
        f"{machines} x ({there} + {back}) for the answers;\n"
        f"with statistics that are known before: {write_bytes(known.bytes)}.\n"
        "By term: the rarest list goes to the machine with the next word, "
        f"{collection.posting:g} bytes for each page in it."
    )
    return 0
