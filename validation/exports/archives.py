"""All results of a list in one zip: what to send to, what to look at, what to suppress."""

import zipfile
from collections.abc import Iterator

from django.utils import timezone

from validation.batches.models import Batch
from validation.exports import tables
from validation.exports.choices import ExportChoices
from validation.exports.xlsx import ZipBuffer

PARTS = {"send.csv": "safe", "review.csv": "risky", "suppress.csv": "do_not_send"}
README = """\
{filename}

send.csv      Safe to send: {safe:,}
              These addresses can be written to.

review.csv    Risky to send: {risky:,}
              Nobody could say for sure: the mail server takes every name, or gave no answer. Send to a few of them
              first, and watch what bounces.

suppress.csv  Do not send: {never:,}
              They bounce, are thrown away after use, or are traps. Take them off your list, and put them on the
              suppression list of the program that you send with, so that no other import brings them back.

Each file has the same columns, and every checked address stands in one of the three: {total:,} in all.
A file without addresses has its header alone.
"""


def stream_archive(batch: Batch, choices: ExportChoices) -> Iterator[bytes]:
    """The bytes of the zip, in constant memory. The first are sent before the first result is read."""
    pipe = ZipBuffer()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("README.txt", write_readme(batch).replace("\n", "\r\n"))
        yield pipe.take()
        for name, segment in PARTS.items():
            entry = zipfile.ZipInfo(name, date_time=timezone.localtime().timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as part:
                for text in tables.stream_csv(batch, choices._replace(segment=segment)):
                    part.write(text.encode())
                    yield pipe.take()
    yield pipe.take()


def write_readme(batch: Batch) -> str:
    """What each file of the zip is for, and how many addresses it has."""
    safe, risky = batch.safe_to_send_count, batch.risky_count
    never = batch.processed - safe - risky
    return README.format(
        filename=batch.filename or "Pasted list", safe=safe, risky=risky, never=never, total=batch.processed
    )
