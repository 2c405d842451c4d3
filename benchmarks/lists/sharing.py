"""Four worker processes that share what operators bear, while the Redis that counts for all is killed twice.

A calm run comes first, in a product of its own. Killed means SIGKILL; it comes back empty some seconds later.
"""

import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import figures
from benchmarks.lists import life
from benchmarks.lists.life import Ran
from benchmarks.lists.operators import tell_limits, tell_verdicts
from tests.stack import wait_until

FACTOR = 2
WORKERS = 4
CHUNKS = 8  # so that every worker has some
DOWN_S = 5.0
KILLED_AT = (0.2, 0.6)
"""Shares of what the rates allow the list to take."""


@dataclass(slots=True)
class Redis:
    """A Redis that can be killed and started again; it listens on a file."""

    folder: Path
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"unix://{self._socket}?db=0"

    @property
    def _socket(self) -> Path:
        return self.folder / "redis"

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        command = ["redis-server", "--port", "0", "--unixsocket", str(self._socket), "--save", ""]
        self.process = subprocess.Popen([*command, "--dir", str(self.folder)], stdout=subprocess.DEVNULL)
        wait_until(self._answers, 60)

    def kill(self) -> None:
        """End it at once, as a crash does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        asked = subprocess.run(["redis-cli", "-s", str(self._socket), "ping"], capture_output=True, check=False)
        return asked.returncode == 0


@dataclass(slots=True)
class Outages:
    """Kills a Redis when a list has taken so many seconds, and starts it again `DOWN_S` later."""

    redis: Redis
    at: list[float]
    done: list[str] = field(default_factory=list)
    _back_at: float = 0.0

    def look(self, seconds: float) -> None:
        """Do what is due."""
        if self.redis.process is None and seconds >= self._back_at:
            self.redis.start()
            self.done.append(f"back at {seconds:.0f} s")
        elif self.redis.process is not None and self.at and seconds >= self.at[0]:
            self.redis.kill()
            del self.at[0]
            self._back_at = seconds + DOWN_S
            self.done.append(f"killed at {seconds:.0f} s")


def sharing(_seed: int, divide: int) -> None:
    """A calm run, and one in which Redis is killed twice."""
    rows, profiles = life.real_rows(divide), life.times_the_rates(FACTOR)
    longest = max(life.allowed_s(rows, profiles).values())
    title = f"[A4] {len(rows):,} rows, {WORKERS} workers"
    print(f"### {title}, rates x {FACTOR}: calm, and with Redis killed twice\n")
    calm, _ = _run(f"{title}, calm", rows, [])
    ran, done = _run(f"{title}, Redis killed twice", rows, [share * longest for share in KILLED_AT])
    print(f"Redis: {', '.join(done)}; the list took {ran.wall_s:.0f} s")
    others = Counter(pair for pair in zip(calm.found, ran.found, strict=True) if pair[0] != pair[1])
    for (before, after), count in others.most_common(5):
        print(f"  {count} x {'/'.join(after)}, in the calm run {'/'.join(before)}")
    killed = sum(word.startswith("killed") for word in done)
    figures.at_least(f"{title}: times that Redis was killed, in {ran.wall_s:.0f} s", killed, len(KILLED_AT))
    figures.at_most(f"{title}: verdicts other than in the calm run", sum(others.values()), 0)


def _run(what: str, rows: list[str], killed_at: list[float]) -> tuple[Ran, list[str]]:
    """A run in a product of its own; answers it, and when Redis was killed and back."""
    profiles = life.times_the_rates(FACTOR)
    changes = {"WORKERS": str(WORKERS), "CHUNK_ROWS": str(len(rows) // CHUNKS), "LOG_LEVEL": "CRITICAL"}
    with _running_redis() as redis:
        changes |= {"REDIS_URL": redis.url}
        with life.running_life(profiles, changes=changes) as world:
            outages = Outages(redis, killed_at)
            ran = world.check(rows, outages.look)
    print(f"{what}: {ran.wall_s:.1f} s", flush=True)
    tell_verdicts(what, ran.found, life.truths(rows))
    tell_limits(what, ran.pairs, profiles)
    return ran, outages.done


@contextmanager
def _running_redis() -> Iterator[Redis]:
    with tempfile.TemporaryDirectory() as folder:
        redis = Redis(Path(folder))
        redis.start()
        try:
            yield redis
        finally:
            redis.kill()
