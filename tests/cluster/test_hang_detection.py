"""Who says nothing while the supervisor listens hangs; who is not listened to does not."""

from gossamer.cluster.hang_detection import Silence


def test_one_is_ended_at_a_time_and_the_others_begin_anew() -> None:
    """They may have waited for the one that hangs."""
    silence = Silence(3.0)
    for number in range(3):
        silence.hear(number)
    assert silence.wait(1.0) is None
    silence.hear(2)
    assert silence.wait(1.0) is None
    silence.hear(0)
    assert silence.wait(1.0) == 1
    silence.forget(1)
    assert [silence.wait(1.0) for _ in range(3)] == [None, None, 0]


def test_time_that_nobody_listened_does_not_count() -> None:
    silence = Silence(3.0)
    silence.hear(0)
    assert silence.wait(10_000.0) is None
    silence.hear(0)
    assert silence.wait(10_000.0) is None


def test_without_a_limit_nobody_hangs() -> None:
    silence = Silence(0.0)
    silence.hear(0)
    assert {silence.wait(1.0) for _ in range(1000)} == {None}
