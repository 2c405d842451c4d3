"""`manage.py create_admin EMAIL NAME`: an administrator, or the role for an account that is there."""

import getpass
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.staff import services as staff
from emailcheck.common.errors import ProductError


class Command(BaseCommand):
    help = "Make an administrator, or give the role to the account of that address."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("name")
        parser.add_argument("--ask", action="store_true", help="ask for the password instead of making one up")

    def handle(self, *args: Any, **options: Any) -> None:
        password = _prompt_password() if options["ask"] else ""
        try:
            made_up = staff.create_admin(email=options["email"], name=options["name"], password=password)
        except ProductError as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{options['email']} is an administrator.")
        if made_up:
            self.stdout.write(f"Password, shown this once: {made_up}")


def _prompt_password() -> str:
    """From the terminal without an echo, or a line of the input."""
    return getpass.getpass() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
