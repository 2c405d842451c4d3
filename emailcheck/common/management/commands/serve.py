import logging
import sys
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError

from emailcheck.common.demo import DEMO_LOGINS
from emailcheck.common.queue import tasks
from emailcheck.common.queue.supervisor import Part, Supervisor, is_listening

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Run web, workers and (in the sandbox) the simulated outside world until Ctrl-C."

    def handle(self, *args: Any, **options: Any) -> None:
        for port in list_ports():
            if is_listening(port, settings.HOST):
                raise CommandError(f"{settings.HOST}:{port} is taken: stop what runs there, or set EMAILCHECK_PORT")
        self.check(tags=[Tags.database], databases=["default"])
        tasks.ensure_schedules()
        Supervisor(build_parts(), report=log.warning, ready=self.announce).run()

    def announce(self) -> None:
        """Say where to go and how to sign in."""
        self.stdout.write(f"\n  {settings.SITE_NAME} is ready: {settings.SITE_URL}\n")
        for login in DEMO_LOGINS if settings.SANDBOX else ():
            self.stdout.write(f"    {login.email:26}  {login.password}   {login.label}")
        self.stdout.write("  Ctrl-C ends everything.\n")
        self.stdout.flush()


def list_ports() -> list[int]:
    """Where this installation listens; those of the sandbox lie so far above `EMAILCHECK_PORT`, unless they are set."""
    simulated = (settings.SANDBOX_SOCKS_PORT, settings.SANDBOX_MAIL_PORT, settings.SANDBOX_HTTP_PORT)
    return [settings.PORT, *(simulated if settings.SANDBOX else ())]


def build_parts() -> list[Part]:
    """The processes of this installation."""
    web = [sys.executable, "manage.py", "serve_web"]
    here = [sys.executable, "manage.py", "qcluster", "--skip-checks"]  # `serve` itself has made them
    running = [
        Part("web", web, port=settings.PORT),
        Part("workers (high)", here, {"Q_CLUSTER_NAME": "high"}, queue="high"),
        Part("workers (bulk)", here, {"Q_CLUSTER_NAME": "bulk"}, queue="bulk"),
        Part("workers (hooks)", here, {"Q_CLUSTER_NAME": "hooks"}, queue="hooks"),
    ]
    if settings.SANDBOX:
        running.insert(0, Part("sandbox", sandbox_command(), port=settings.SANDBOX_HTTP_PORT, prints=False))
    return running


def sandbox_command() -> list[str]:
    return [
        *(sys.executable, "-m", "emailcheck.sandbox", "--data-dir", str(settings.VAR_DIR / "sandbox")),
        *("--dns-port", str(settings.SANDBOX_DNS_PORT), "--socks-port", str(settings.SANDBOX_SOCKS_PORT)),
        *("--mail-port", str(settings.SANDBOX_MAIL_PORT), "--http-port", str(settings.SANDBOX_HTTP_PORT)),
        *("--site-url", settings.SITE_URL, "--webhook-id", settings.PAYPAL_WEBHOOK_ID),
        *("--webhook-url", f"http://{settings.HOST}:{settings.PORT}/api/payments/paypal/webhook"),
    ]
