from typing import Any

from django.core.management.base import BaseCommand, CommandError

from validation import selfcheck
from validation.checker import checker


class Command(BaseCommand):
    help = "Say plainly whether this machine can verify addresses: DNS, port 25, our names."

    def handle(self, *args: Any, **options: Any) -> None:
        findings = selfcheck.look(checker())
        for finding in findings:
            self.stdout.write(f"{'ok    ' if finding.ok else 'FAILED'}  {finding.name}: {finding.seen}")
            if finding.advice:
                self.stdout.write(f"        {finding.advice}")
        if not all(finding.ok for finding in findings):
            raise CommandError("This machine cannot verify mailboxes as it stands.")
