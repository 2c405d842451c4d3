"""What a command line says of waiting for limits of ours, and when those who wait are asked again."""

import io

import pytest

from validation.engine.cli.progress import Progress
from validation.engine.cli.retry_queue import RetryQueue
from validation.engine.cli.wait_texts import compute_longest_wait, describe_rows, describe_seconds
from validation.engine.limits.shared_limits import WaitReport
from validation.engine.vocabulary import FollowUp, Wait, WaitCause

YAHOO = WaitReport("yahoo", "Yahoo", WaitCause.RATE, 2_100, 52.4, 20.0)
GOOGLE = WaitReport("google", "Google", WaitCause.RATE, 900, 31.0, 100.0)
APPLE = WaitReport("apple", "Apple", WaitCause.EGRESS, 40, 0.9)
OTHERS = WaitReport("", "", WaitCause.SESSION, 7, 3.0)
LOOKUPS = WaitReport("", "", WaitCause.LOOKUP, 5, 1.2)
TRIPLET = FollowUp("direct", "", "", 1.0, 1, 60.0)
AT_YAHOO = Wait("yahoo", WaitCause.RATE, 4.0, 1.6)  # due two seconds later, then every half second


def told(progress: Progress, done: int, seconds: float, *waits: WaitReport) -> str:
    progress.done = done
    return progress.line(seconds, waits)


@pytest.mark.finding("A3")
class TestProgress:
    """The line that is written over, and the last ones."""

    def test_it_says_for_whose_limit_rows_wait(self) -> None:
        progress = Progress(io.StringIO(), 20_000, shown=True)
        assert told(progress, 12_400, 40.0, YAHOO) == (
            "12,400 of 20,000 addresses, 310/s, 2 min left; 2,100 wait for Yahoo's limit"
        )
        assert told(progress, 12_400, 40.0) == "12,400 of 20,000 addresses, 310/s, 25 s left"

    def test_the_time_left_is_the_longer_of_the_two(self) -> None:
        progress = Progress(io.StringIO(), 20_000, shown=True)
        assert told(progress, 2_000, 100.0, GOOGLE) == (
            "2,000 of 20,000 addresses, 20/s, 15 min left; 900 wait for Google's limit"
        )
        assert told(progress, 0, 1.0, GOOGLE) == "0 of 20,000 addresses, 0/s, 9 s left; 900 wait for Google's limit"
        unknown = WaitReport("yahoo", "Yahoo", WaitCause.RATE, 10, 0.0)
        assert told(progress, 0, 1.0, unknown) == "0 of 20,000 addresses, 0/s; 10 wait for Yahoo's limit"

    def test_a_list_of_unknown_length_has_no_end_to_tell(self) -> None:
        progress = Progress(io.StringIO(), None, shown=True)
        assert told(progress, 10, 1.0, YAHOO) == "10 addresses, 10/s; 2,100 wait for Yahoo's limit"

    def test_the_end_says_how_long_and_what_changes_it(self) -> None:
        stream = io.StringIO()
        Progress(stream, 20, shown=True).finish([APPLE, GOOGLE, YAHOO])
        assert stream.getvalue().splitlines()[1:] == [
            "waited for limits of ours: Yahoo 52 s, Google 31 s (--rate sets recipients a minute)"
        ]

    def test_the_end_counts_addresses_and_not_lines(self) -> None:
        stream = io.StringIO()
        progress = Progress(stream, 21, shown=True)
        progress.done = 20
        progress.finish(())
        assert stream.getvalue().startswith("20 of 20 addresses, ")
        assert "left" not in stream.getvalue()

    def test_nothing_is_said_of_no_waiting(self) -> None:
        stream = io.StringIO()
        Progress(stream, 20, shown=True).finish([APPLE])
        assert len(stream.getvalue().splitlines()) == 1

    def test_a_run_that_tells_nothing_is_silent_here_too(self) -> None:
        stream = io.StringIO()
        Progress(stream, 20, shown=False).finish([YAHOO])
        assert stream.getvalue() == ""

    def test_an_interrupted_run_says_so_and_why_it_took_long(self) -> None:
        stream = io.StringIO()
        Progress(stream, 20, shown=False).finish([YAHOO], interrupted=True)
        first, second = stream.getvalue().splitlines()
        assert first.endswith(", interrupted")
        assert second == "waited for limits of ours: Yahoo 52 s (--rate sets recipients a minute)"


def test_words_for_every_cause() -> None:
    assert describe_rows([OTHERS]) == "7 wait for sessions with other mail hosts"
    assert describe_rows([LOOKUPS]) == "5 wait for name servers"
    assert describe_rows([APPLE]) == "40 wait for addresses that Apple takes"
    assert describe_rows([WaitReport("", "", WaitCause.RATE, 3, 0.0)]) == "3 wait for limits at other mail hosts"
    assert describe_rows([]) == ""
    assert describe_seconds([LOOKUPS, OTHERS]) == (
        "waited for limits of ours: sessions with other mail hosts 3 s, name servers 1 s"
        " (--profiles sets sessions; --dns-at-once sets look-ups)"
    )


def test_the_longest_lines_are_named() -> None:
    assert describe_rows([OTHERS, GOOGLE, YAHOO, APPLE]) == (
        "2,100 wait for Yahoo's limit, 900 for Google's limit, 47 for others"
    )


def test_the_last_of_the_longest_line_decides() -> None:
    assert compute_longest_wait([YAHOO, GOOGLE, OTHERS]) == 105.0
    assert compute_longest_wait([OTHERS]) == 0.0


@pytest.mark.finding("A3")
class TestLine:
    """Who was not asked yet is due one after another, as fast as the operator may be asked."""

    def test_they_are_due_at_the_rate_of_their_operator(self) -> None:
        line = RetryQueue()
        for index in range(4):
            line.put(index, f"user{index}@yahoo.com", None, AT_YAHOO, 100.0)
        assert line.next_at == 102.0
        assert [one.index for one in line.pop_due(102.6)] == [0, 1]
        assert (line.next_at, len(line)) == (103.0, 2)

    def test_who_comes_back_stands_behind_those_who_wait(self) -> None:
        line = RetryQueue()
        for index in range(3):
            line.put(index, "user@yahoo.com", None, AT_YAHOO, 100.0)
        [first] = line.pop_due(102.0)
        line.put(first.index, first.email, None, AT_YAHOO, 102.0)
        assert [one.index for one in line.pop_due(1_000.0)] == [1, 2, 0]
        assert line.next_at is None

    def test_hosts_of_nobody_known_do_not_wait_for_each_other(self) -> None:
        line = RetryQueue()
        for index, seconds in enumerate((30.0, 2.0, 2.0)):
            line.put(index, "user@shop.com", None, Wait("", WaitCause.SESSION, seconds, 1.0), 100.0)
        assert [one.index for one in line.pop_due(102.0)] == [1, 2]

    def test_the_triplet_is_kept(self) -> None:
        line = RetryQueue()
        line.put(0, "user@yahoo.com", TRIPLET, AT_YAHOO, 100.0)
        assert [(one.email, one.follow_up) for one in line.pop_due(104.0)] == [("user@yahoo.com", TRIPLET)]

    def test_it_is_counted_beside_those_who_stand_elsewhere(self) -> None:
        line = RetryQueue()
        for index in range(3):
            line.put(index, "user@gmx.com", None, Wait("gmx", WaitCause.RATE, 4.0, 20.0), 100.0)
            line.put(index + 3, "user@yahoo.com", None, AT_YAHOO, 100.0)
        assert line.add_to([YAHOO, GOOGLE], 110.0) == [
            WaitReport("yahoo", "Yahoo", WaitCause.RATE, 2_103, 52.4, 20.0),
            GOOGLE,
            WaitReport("gmx", "GMX", WaitCause.RATE, 3, 10.0, 20.0),
        ]

    def test_seconds_count_while_somebody_waits(self) -> None:
        line = RetryQueue()
        for start in (100.0, 200.0):
            line.put(0, "user@yahoo.com", None, AT_YAHOO, start)
            line.pop_due(start + 5.0)
        assert line.add_to((), 300.0) == [WaitReport("yahoo", "Yahoo", WaitCause.RATE, 0, 10.0, 1.6)]
