"""Questions to other partitions that are not answered yet.

Kept in memory only: a partition that is restarted forgets its questions, and asks again when it needs the
answers.
"""

from collections import defaultdict
from random import Random

from gossamer.cluster.message_kinds import Question


class Questions:
    """Questions to neighbours, by number.

    Numbers begin at a random place: so an answer to a question from before a restart is not taken for the
    answer to a new one.

    >>> questions = Questions(Random(7))
    >>> number = questions.ask(2, 5, b"well?").number
    >>> [question.payload for question in questions.unanswered(2)]
    [b'well?']
    >>> questions.answered(number), questions.answered(number), len(questions)
    (True, False, 0)
    """

    def __init__(self, chance: Random) -> None:
        self._next = chance.getrandbits(63)
        self._open: defaultdict[int, dict[int, Question]] = defaultdict(dict)
        self._partitions: dict[int, int] = {}
        self.asked = 0

    def ask(self, partition: int, topic: int, payload: bytes) -> Question:
        question = Question(partition, self._next, topic, payload)
        self._next += 1
        self.asked += 1
        self._open[partition][question.number] = question
        self._partitions[question.number] = partition
        return question

    def answered(self, number: int) -> bool:
        """An answer came; is it to a question that was open?"""
        partition = self._partitions.pop(number, None)
        if partition is None:
            return False
        del self._open[partition][number]
        return True

    def unanswered(self, partition: int) -> list[Question]:
        """Questions to ask this neighbour again after its restart, in the old order."""
        return list(self._open[partition].values())

    def is_any_open_but(self, topic: int) -> bool:
        """Is a question unanswered that is not about this topic?"""
        return any(
            question.topic != topic for some in self._open.values() for question in some.values()
        )

    def __len__(self) -> int:
        return len(self._partitions)
