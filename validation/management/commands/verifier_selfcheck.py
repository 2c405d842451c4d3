import json
from argparse import ArgumentParser
from dataclasses import asdict
from itertools import groupby
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from validation.verifier import selfcheck

_MARKS = {True: "ok    ", False: "FAILED", None: "?     "}


class Command(BaseCommand):
    help = "Say plainly whether this machine can verify addresses: DNS, port 25, our names. Exits with 1 if not."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="the findings as a JSON list: name, ok, seen, advice, egress"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        findings = selfcheck.run_selfcheck()
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=2))
        else:
            self._print_findings(findings)
        if any(finding.ok is False for finding in findings):
            raise CommandError("This machine cannot verify mailboxes as it stands.")

    def _print_findings(self, findings: list[selfcheck.Finding]) -> None:
        """What concerns all, then a block for each egress address."""
        for egress, found in groupby(findings, lambda finding: finding.egress):
            if egress:
                self.stdout.write(f"\nEgress address {egress}")
            for finding in found:
                self._print_finding(finding)

    def _print_finding(self, finding: selfcheck.Finding) -> None:
        self.stdout.write(f"{_MARKS[finding.ok]}  {finding.name}: {finding.seen}")
        if finding.advice:
            self.stdout.write(f"        {finding.advice}")
