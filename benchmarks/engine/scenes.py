"""What is measured, scene by scene: everybody in the same world."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.engine import million
from benchmarks.engine.internet import Internet, running
from benchmarks.engine.judging import Score, score_ours, score_peer
from benchmarks.engine.million import LongRun
from benchmarks.engine.model import Truth, World
from benchmarks.engine.servers import Listen
from benchmarks.engine.subjects import Measured, Peer, measure_ours, measure_peer
from benchmarks.engine.worlds import Recipe, build

OURS = "EmailCheck"
INSIDE = Listen()
ON_LOOPBACK = Listen(dns_port=0, smtp_port=0, first_octet=127)

Question = tuple[str, Truth]


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    addresses: int
    domains: int
    sets: int
    share: int  # one domain of so many is also asked for by everybody
    hostile: int
    hostile_domains: int
    million: int
    million_domains: int
    million_sets: int
    rounds: int
    parallel: tuple[int, ...]
    plain: int
    compared: int


FULL = Scale(20_000, 1_000, 100, 10, 2_000, 200, 1_000_000, 50_000, 2_000, 3, (64, 128, 256), 300_000, 20_000)
QUICK = Scale(5_000, 250, 50, 10, 440, 88, 100_000, 5_000, 400, 1, (128,), 100_000, 5_000)


@dataclass(frozen=True, slots=True)
class Row:
    """One subject in one scene."""

    name: str
    measured: Measured
    score: Score


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene with all who took part. `is_race` says that all did the same work."""

    title: str
    rows: list[Row]
    is_race: bool = True

    def best_peer(self) -> Row | None:
        """The quickest of the others."""
        peers = [row for row in self.rows if not row.name.startswith(OURS)]
        return max(peers, key=lambda row: row.measured.rate, default=None)

    def ours(self) -> Row:
        """Our run over the longest list."""
        return max((row for row in self.rows if row.name.startswith(OURS)), key=lambda row: row.score.total)


class Stage:
    """Runs scenes for one seed."""

    def __init__(self, seed: int, scale: Scale, peers: Sequence[Peer], *, inside: bool) -> None:
        self.seed = seed
        self.scale = scale
        self._peers = peers
        self._inside = inside
        self._listen = INSIDE if inside else ON_LOOPBACK

    def clean(self) -> Iterator[Scene]:
        """Well-kept hosts at 0 and at 50 ms a reply, and once more with STARTTLS offered by all.

        Nobody has a profile here: `benchmarks.lists` measures what limits of ours hold up.
        """
        scale = self.scale
        recipe = Recipe(self.seed, scale.domains, scale.sets, scale.addresses, named=False)
        with running(recipe, self._listen) as internet:
            world = build(recipe)
            yield self._all(internet, world, "0 ms a reply", 0.0)
            yield self._all(internet, world, "50 ms a reply", 0.05)
        recipe = replace(recipe, tls=True)
        with running(recipe, self._listen) as internet:
            yield self._all(internet, build(recipe), "0 ms a reply, STARTTLS offered by all", 0.0, tls=True)

    def hostile(self) -> Scene:
        """Difficult hosts."""
        scale = self.scale
        recipe = Recipe(self.seed, scale.hostile_domains, scale.hostile_domains // 2, scale.hostile, hostile=True)
        with running(recipe, self._listen) as internet:
            questions = build(recipe).questions
            rows = [self._ours(internet, OURS, questions, 0.0, rounds=1)]
            parallel = max(self.scale.parallel)
            rows += [self._peer(internet, peer, questions, 0.0, (parallel,), tls=True) for peer in self._peers]
        return Scene("hostile hosts", rows)

    def million(self) -> LongRun:
        """A long list through the command line."""
        scale = self.scale
        recipe = Recipe(self.seed, scale.million_domains, scale.million_sets, scale.million, named=False)
        with running(recipe, self._listen) as internet:
            return million.measure(internet, build(recipe).questions)

    def _all(self, internet: Internet, world: World, title: str, delay: float, *, tls: bool = False) -> Scene:
        """Everybody over the part, we over the whole as well."""
        part = part_of(world.questions, self.scale.share)
        rounds, parallel = self.scale.rounds, self.scale.parallel
        rows = [self._peer(internet, peer, part, delay, parallel, tls=tls) for peer in self._peers]
        rows.append(self._ours(internet, OURS, part, delay, rounds=rounds))
        rows.append(self._ours(internet, f"{OURS}, the whole list", world.questions, delay, rounds=rounds))
        return Scene(title, rows, is_race=not tls)  # not every peer takes STARTTLS

    def _ours(self, internet: Internet, name: str, questions: Sequence[Question], delay: float, *, rounds: int) -> Row:
        """The middle of some rounds."""
        addresses = [text for text, _ in questions]
        runs = [measure_ours(internet, addresses, delay=delay, inside=self._inside) for _ in range(rounds)]
        middle = sorted(runs, key=lambda run: run.seconds)[rounds // 2]
        scores = [score_ours([truth for _, truth in questions], run.answers) for run in runs]
        return Row(name, middle, min(scores, key=lambda score: score.exact))

    def _peer(
        self,
        internet: Internet,
        peer: Peer,
        questions: Sequence[Question],
        delay: float,
        parallel: Sequence[int],
        *,
        tls: bool,
    ) -> Row:
        """The best of several numbers of calls side by side."""
        addresses = [text for text, _ in questions]
        runs = [measure_peer(peer, internet, addresses, delay=delay, parallel=number, tls=tls) for number in parallel]
        best = max(runs, key=lambda run: run.rate)
        return Row(peer.name, best, score_peer([truth for _, truth in questions], best.answers, peer.read))


def part_of(questions: Sequence[Question], share: int) -> list[Question]:
    """All addresses of one domain of so many, so that the part has as many addresses a domain as the whole."""
    domains = sorted({text.rpartition("@")[2] for text, _ in questions})
    chosen = set(domains[::share])
    return [question for question in questions if question[0].rpartition("@")[2] in chosen]
