"""nginx and Caddy by their examples: sound, and what they do in front of two webs."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.deploy.proxies import DyingWeb, Proxy, StreamingWeb, running_caddy, running_nginx, write_nginx
from tests.deploy.tools import DEPLOY, run_tool
from tests.stack import ALICE, free_port

pytestmark = pytest.mark.xdist_group("deploy")
Running = Callable[[Path, list[int]], AbstractContextManager[Proxy]]
EITHER = pytest.mark.parametrize("running", [running_nginx, running_caddy])
MEGABYTE = 1024 * 1024
SLOW = 40


@pytest.mark.spec("SCA-031")
def test_nginx_and_caddy_read_their_examples(tmp_path: Path) -> None:
    write_nginx(tmp_path, [8001, 8002])
    checked = run_tool("nginx", "-t", "-p", tmp_path, "-c", tmp_path / "nginx.conf")
    assert (checked.returncode, "[warn]" in checked.stdout) == (0, False), checked.stdout
    file = DEPLOY / "caddy" / "Caddyfile"
    checked = run_tool("caddy", "validate", "--config", file, "--adapter", "caddyfile", HOME=str(tmp_path))
    assert (checked.returncode, "Valid configuration" in checked.stdout) == (0, True), checked.stdout
    assert run_tool("caddy", "fmt", file, HOME=str(tmp_path)).stdout == file.read_text()


@pytest.fixture
def dying() -> Iterator[list[DyingWeb]]:
    two = [DyingWeb(), DyingWeb()]
    yield two
    for web in two:
        web.close()


@pytest.mark.spec("SCA-031")
@EITHER
def test_what_a_dying_web_was_sent_is_sent_again_only_by_get(
    tmp_path: Path, running: Running, dying: list[DyingWeb]
) -> None:
    with running(tmp_path, [web.port for web in dying]) as proxy, proxy.client() as client:
        assert client.post("/api/validate/single", json={"email": "a@x.com"}).status_code == 502
        assert dying[0].seen + dying[1].seen == ["POST /api/validate/single"]
    for web in dying:
        web.seen.clear()
    with running(tmp_path, [web.port for web in dying]) as proxy, proxy.client() as client:
        assert client.get("/api/plans").status_code == 502
        assert set(dying[0].seen + dying[1].seen) == {"GET /api/plans"}
        assert len(dying[0].seen + dying[1].seen) >= 2


@pytest.mark.spec("SCA-031")
@EITHER
def test_a_web_that_is_away_costs_no_call(tmp_path: Path, running: Running) -> None:
    with closing(StreamingWeb()) as there:
        there.go_on.set()
        with running(tmp_path, [free_port(), there.port]) as proxy, proxy.client() as client:
            posted = [client.post("/api/validate/single", json={}).status_code for _ in range(6)]
    assert posted == [200] * 6


@pytest.mark.spec("SCA-031")
@EITHER
def test_a_long_answer_goes_through_as_it_comes(tmp_path: Path, running: Running) -> None:
    with (
        closing(StreamingWeb()) as web,
        running(tmp_path, [web.port, web.port]) as proxy,
        proxy.client() as client,
        client.stream("GET", "/api/validate/batch/bat_1/export") as answer,
    ):
        pieces = answer.iter_raw()
        assert next(pieces) == b"first,"
        web.go_on.set()
        assert b"".join(pieces) == b"second"


@pytest.mark.spec("SCA-031")
@EITHER
def test_slow_callers_end_at_the_proxy_and_never_reach_a_web(tmp_path: Path, running: Running) -> None:
    with closing(StreamingWeb()) as web, running(tmp_path, [web.port, web.port]) as proxy, ExitStack() as opened:
        web.go_on.set()
        slow = [opened.enter_context(proxy.connect()) for _ in range(SLOW)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: check.exam")
        with proxy.client() as client:
            assert client.get("/").status_code == 200
        assert [_read_rest(connection).startswith(b"HTTP/1.1 200") for connection in slow] == [False] * SLOW
        assert web.seen == ["GET /"]


def _read_rest(connection: ssl.SSLSocket) -> bytes:
    try:
        return connection.recv(65_536)
    except OSError:
        return b""


@pytest.fixture(scope="module", params=[running_nginx, running_caddy])
def proxy(request: Any, webs: list[int], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with request.param(tmp_path_factory.mktemp("proxy"), webs) as running:
        yield running


def sign_in(client: httpx2.Client, **headers: str) -> None:
    token = client.post("/api/auth/login", json=ALICE, headers=headers).raise_for_status().json()["token"]
    client.headers["Authorization"] = f"Bearer {token}"


def make_file(megabytes: int) -> bytes:
    line = b"anna.keller@gmail.com," + b"x" * 1_000 + b"\n"
    return (b"email,note\n" + line * (megabytes * MEGABYTE // len(line)))[: megabytes * MEGABYTE]


@pytest.mark.spec("SCA-031")
@pytest.mark.parametrize(("megabytes", "status", "code"), [(9, 200, None), (11, 413, "FILE_TOO_LARGE")])
def test_an_upload_of_nine_megabytes_arrives_and_a_larger_one_is_refused_in_words(
    proxy: Proxy, megabytes: int, status: int, code: str | None
) -> None:
    with proxy.client() as client:
        sign_in(client)
        file = {"file": ("list.csv", make_file(megabytes))}
        answer = client.post("/api/validate/upload/inspect", files=file)
        assert (answer.status_code, answer.text[:300]) == (status, answer.text[:300])
        assert answer.json().get("code") == code


@pytest.mark.spec("SCA-031")
def test_an_export_through_the_proxy_is_that_of_the_web(proxy: Proxy, webs: list[int]) -> None:
    with proxy.client() as client:
        sign_in(client)
        through = client.get("/api/credits/statement/export")
        direct = httpx2.get(
            f"http://127.0.0.1:{webs[1]}/api/credits/statement/export", headers=client.headers, trust_env=False
        )
        assert (through.status_code, len(through.content) > 100) == (200, True)
        assert through.content == direct.content


@pytest.mark.spec("SCA-031")
def test_the_address_of_a_caller_is_believed_from_the_proxy_alone(proxy: Proxy, webs: list[int]) -> None:
    lie = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    with proxy.client(source="127.0.0.5") as client:
        sign_in(client, **lie)
        assert client.get("/api/user/sessions").json()["sessions"][0]["ip"] == "127.0.0.5"
    transport = httpx2.HTTPTransport(local_address="127.0.0.6")
    with httpx2.Client(base_url=f"http://127.0.0.1:{webs[0]}", transport=transport, timeout=60) as beside:
        sign_in(beside, **lie)
        assert beside.get("/api/user/sessions").json()["sessions"][0]["ip"] == "127.0.0.6"


@pytest.mark.spec("SCA-031")
def test_what_is_for_the_inside_is_not_to_be_had_outside(proxy: Proxy, webs: list[int]) -> None:
    with proxy.client() as client:
        assert [client.get(path).status_code for path in ("/metrics", "/livez", "/readyz")] == [404] * 3
        assert client.get("/api/plans").status_code == 200
