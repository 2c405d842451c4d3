"""Which files of ours the product walks through for one address, a list, a payment and a webhook, in order.

    make trace ARGS="address list"

The real product in this process: a database of its own, the simulated world, calls by the WSGI application, queued work
by the functions that workers call, the engine on its thread. Each walk is done once before it is followed, so that what
happens once a process, and what caches save, does not count. Told is the one with the fewest changes of `ROUNDS`, one
after another: in others an operator's rate is asked for anew, or a list waits.

A *file* counts when a function in it runs: the product's own Python, without the simulated world and what runs only at
import. A *change* is a call from a function of ours to one in another file of ours, however much of Django or asyncio
lies between. Returning and resuming is none. What a child process does (reading a file) is not seen.
"""

import io
import json
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any
from urllib.parse import urlsplit
from wsgiref.util import setup_testing_defaults

from django.conf import settings

from accounts.keys import services as keys
from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from benchmarks import figures
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.subscriptions import services as subscriptions
from billing.subscriptions.models import Subscription
from emailcheck.common.testing import drain_queue
from emailcheck.wsgi import application
from tests.hooks import endpoint, sent
from tests.paypal import Buyer
from tests.world import Sandbox, running_world

ROUNDS = 5
MOST = {"files": 49, "changes": 249}
ADDRESS = "anna.keller@gmail.com"
LIST = "".join(f"person{number}@{domain}\n" for number in range(20) for domain in ("harborquill.com", "gmail.com"))
_BOUNDARY = "of-the-list"
_FORM = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n\r\n'
_ROOT = f"{Path(__file__).resolve().parent.parent}/"
_OTHERS = (".venv/", "benchmarks/", "tests/", "emailcheck/sandbox/", "emailcheck/common/testing.py", "manage.py")
Walk = Callable[[], None]


class Tracer:
    """Follows the calls of every thread that begins after it, and of this one.

    `files` are those of a walk in the order in which they were entered, with their calls; `changes` counts the calls
    from one to another.
    """

    def __init__(self) -> None:
        self.files: dict[str, int] = {}
        self.changes = 0
        self._names: dict[CodeType, str] = {}
        self._is_following = False
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    @contextmanager
    def following(self) -> Iterator[None]:
        """Follow what happens in the block."""
        self.files, self.changes, self._is_following = {}, 0, True
        yield
        self._is_following = False

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if not self._is_following or event != "call" or not (name := self._name_file(code)):
            return
        begins = not code.co_code[frame.f_lasti + 1]  # the argument of RESUME: zero at a function's start
        self.files[name] = self.files.get(name, 0) + begins
        if begins and self._find_caller(frame) not in (name, ""):
            self.changes += 1

    def _find_caller(self, frame: FrameType) -> str:
        """The file of the nearest function of ours below; "" where there is none."""
        below = frame.f_back
        while below is not None:
            if name := self._name_file(below.f_code):
                return name
            below = below.f_back
        return ""

    def _name_file(self, code: CodeType) -> str:
        name = self._names.get(code)
        if name is None:
            name = code.co_filename.removeprefix(_ROOT)
            is_ours = name != code.co_filename and not name.startswith(_OTHERS)
            self._names[code] = name = name if is_ours else ""
        return name


class Customer:
    """Alice with a key, credits, and her browser at the simulated PayPal."""

    def __init__(self, world: Sandbox, buyer: Buyer) -> None:
        self.user = User.objects.create_user("alice@alder.com", name="Alice", email_verified_at="2026-01-01T00:00Z")
        subscriptions.open_account(organisation_id=self.user.pk)
        Subscription.objects.filter(organisation=self.user.own_organisation).update(plan=Plan.GROWTH)
        ledger.grant_credits(
            organisation_id=self.user.pk, kind=LotKind.PACK, amount=10_000, reason="Trace", key="trace"
        )
        self._key = keys.create_key(organisation=self.user.own_organisation, maker=self.user, name="Trace")[1]
        self._token = start_sign_in(user=self.user, device="trace").access
        self._buyer, self._world = buyer, world

    def check_address(self) -> None:
        """One address by a key."""
        _call("POST", "/api/v1/validate/single", self._key, {"email": ADDRESS})

    def check_list(self) -> None:
        """A list, from the upload until it is finished."""
        form = f"{_FORM}{LIST}\r\n--{_BOUNDARY}--\r\n".encode()
        kind = f"multipart/form-data; boundary={_BOUNDARY}"
        batch = json.loads(_call("POST", "/api/v1/validate/upload", self._key, form, kind))["batch_id"]
        drain_queue()
        status = json.loads(_call("GET", f"/api/v1/validate/batch/{batch}/status", self._key))["status"]
        if status != "completed":
            raise RuntimeError(f"the list is {status}")

    def buy_credits(self) -> None:
        """A pack of credits, from the click until the money is taken and the invoice mailed."""
        body = json.loads(_call("POST", "/api/payments/paypal/create-order", self._token, {"package_id": "small"}))
        page = next(link["href"] for link in body["links"] if link["rel"] == "approve")
        back = urlsplit(self._buyer.press(page))
        _call("GET", f"{back.path}?{back.query}", self._token)
        drain_queue()

    def hear_webhook(self) -> None:
        """A webhook about one address, from the check until it is delivered."""
        shop = endpoint(self._world, self.user)
        self.check_address()
        sent()
        if len(shop.arrived) != 1:
            raise RuntimeError("the webhook was not delivered")
        shop.hook.delete()


def _call(method: str, path: str, credential: str, body: Any = b"", kind: str = "application/json") -> bytes:
    """A call of the WSGI application. Returns the body; raises `RuntimeError` for a refusal."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    environ: dict[str, Any] = {}
    setup_testing_defaults(environ)
    environ |= {"REQUEST_METHOD": method, "PATH_INFO": path.partition("?")[0], "QUERY_STRING": path.partition("?")[2]}
    environ |= {"CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(data)), "wsgi.input": io.BytesIO(data)}
    environ |= {"HTTP_AUTHORIZATION": f"Bearer {credential}", "HTTP_HOST": "127.0.0.1", "REMOTE_ADDR": "127.0.0.1"}
    statuses: list[str] = []

    def note_status(status: str, *_: Any) -> Callable[[bytes], object]:
        statuses.append(status)
        return io.BytesIO().write

    answer: Any = application(environ, note_status)
    text = b"".join(answer)
    answer.close()
    if statuses[0][0] not in "23":
        raise RuntimeError(f"{path}: {statuses[0]} {text.decode()}")
    return text


def main(wanted: list[str]) -> None:
    """Follow the walks of these names, or all."""
    tracer = Tracer()
    with tempfile.TemporaryDirectory() as directory, running_world(Path(directory)) as world:
        _point_at(world)
        with Buyer(settings.PAYPAL_API_BASE) as buyer:
            buyer.control("webhooks", hold=1)
            customer = Customer(world, buyer)
            walks: dict[str, Walk] = {
                "address": customer.check_address,
                "list": customer.check_list,
                "payment": customer.buy_credits,
                "webhook": customer.hear_webhook,
            }
            for name in wanted or walks:
                _follow(tracer, name, walks[name])


def _point_at(world: Sandbox) -> None:
    """Have the product reach the simulated world at its ports."""
    site = f"http://127.0.0.1:{world.http_port}"
    settings.VERIFIER_DNS = (("127.0.0.1", world.dns_port),)
    settings.VERIFIER_ROUTES = (f"socks5://127.0.0.1:{world.socks_port}",)
    settings.WEBHOOK_ROUTE, settings.WEBHOOK_CA_FILE = settings.VERIFIER_ROUTES[0], world.authority
    settings.PAYPAL_API_BASE, settings.PAYPAL_WEB_BASE = site, f"{site}/sandbox/paypal"
    settings.EMAIL_PORT = world.mail_port


def _follow(tracer: Tracer, name: str, walk: Walk) -> None:
    walk()
    found: list[tuple[int, dict[str, int]]] = []
    for _ in range(ROUNDS):
        with tracer.following():
            walk()
        found.append((tracer.changes, tracer.files))
    changes, files = min(found, key=lambda one: one[0])
    print(f"{'':4} {'file, in the order of the walk':60}{'calls':>7}")
    for number, (file, calls) in enumerate(files.items(), 1):
        print(f"{number:4} {file:60}{calls:7}")
    print(f"{name}: {len(files)} files, {changes} changes\n")
    if name == "address":
        figures.at_most("files of ours that one address by API walks through", len(files), MOST["files"])
        figures.at_most("calls from one file of ours to another for it", changes, MOST["changes"])
