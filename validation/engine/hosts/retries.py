"""Decides which addresses without an answer are probed again, and which keep their last reply."""

from collections.abc import Iterable

from validation.engine.hosts.failed_probes import SESSION_ENDED_EARLY
from validation.engine.hosts.job_queue import JobQueue
from validation.engine.probes.probe import Probe
from validation.engine.probes.tickets import Job, Ticket, TicketQueue
from validation.engine.replies.readings import Subject


def requeue_unanswered(
    jobs: Iterable[Job],
    queue: JobQueue,
    group: TicketQueue,
    left: Probe | None,
    *,
    progress: bool,
    tries: int,
    pairs: int,
) -> Probe | None:
    """Queue addresses without an answer again while another try may help; the others get their last reply.

    `left` is what ended the session. `progress` says that some address got an answer. An address is tried `tries` times
    where the host is busy, and once from each of `pairs` egress addresses where it refuses us. Returns the last
    rejection among them.
    """
    word = None
    for job in jobs:
        remaining = []
        for ticket in job.tickets:
            if ticket.done:
                continue
            word = ticket.last or left or SESSION_ENDED_EARLY
            ticket.tries += not progress
            if _is_worth_retry(ticket, word, progress, tries, pairs):
                ticket.earlier_probe, ticket.last = ticket.last or ticket.earlier_probe, None
                ticket.queue = group if progress else ticket.queue  # the host is well, only the session ended
                remaining.append(ticket)
            else:
                ticket.give_up(word)
        if remaining:
            queue.put(Job(job.hosts, remaining), first=True)
    return word


def _is_worth_retry(ticket: Ticket, word: Probe, progress: bool, tries: int, pairs: int) -> bool:
    subject = word.reading.subject
    if ticket.accepted is None and subject is Subject.US:
        return not progress and ticket.tries <= pairs
    return (word.reply is None and progress) or (subject is Subject.LOAD and ticket.tries < tries)
