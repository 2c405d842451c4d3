"""Our engine and its peers side by side: `make bench-engine`, or `python -m benchmarks.engine --help`."""

import argparse
import datetime
import secrets
import subprocess
import sys

from benchmarks import figures, replies
from benchmarks.engine import bars, namespace, report, syntax_speed
from benchmarks.engine.scenes import FULL, OURS, QUICK, Scene, Stage
from benchmarks.engine.subjects import install_peers

_ALONE = "Our engine alone, on loopback ports: peers need a network of the run's own (root, or user namespaces).\n"


def main(arguments: list[str]) -> int:
    """Run what was asked for."""
    options = _parser().parse_args(arguments)
    if not namespace.is_inside() and not options.alone:
        if not options.without_peers:
            install_peers()
        code = namespace.enter([*arguments, "--seed", str(options.seed)])
        if code is not None:
            return code
    inside = namespace.is_inside() and _furnished()
    _run(options, inside=inside)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument(
        "--seed", type=int, default=secrets.randbelow(10**6), help="repeat the worlds of an earlier run"
    )
    parser.add_argument("--quick", action="store_true", help="a quarter of the size, one round")
    parser.add_argument("--only", choices=_PARTS, action="append", help="only this part; may be given several times")
    parser.add_argument("--without-peers", action="store_true", help="our engine alone")
    parser.add_argument("--alone", action="store_true", help="our engine alone on loopback ports, as without root")
    return parser


def _furnished() -> bool:
    try:
        namespace.furnish()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"the network could not be set up: {error}", file=sys.stderr)
        return False
    return True


def _run(options: argparse.Namespace, *, inside: bool) -> None:
    scale = QUICK if options.quick else FULL
    peers = install_peers() if inside and not options.without_peers else []
    stage = Stage(options.seed, scale, peers, inside=inside)
    print(f"## {datetime.datetime.now(datetime.UTC).date()}, seed {options.seed}\n\n{report.hardware()}\n")
    if not inside:
        print(_ALONE)
    found = bars.Findings()
    for part in options.only or _PARTS:
        _PARTS[part](found, stage, inside)
    reached = bars.of(found)
    _show(report.of_bars(reached))
    for one in reached:
        figures.tell(one.what, one.bar, one.measured, met=one.met)
    for scene in [*found.clean, *([found.hostile] if found.hostile else [])]:
        _show_mistakes(scene)


def _clean(found: bars.Findings, stage: Stage, _: bool) -> None:
    for scene in stage.clean():
        found.clean.append(scene)
        _show(report.of_scene(scene))


def _hostile(found: bars.Findings, stage: Stage, _: bool) -> None:
    found.hostile = stage.hostile()
    _show(report.of_hostile(found.hostile))


def _million(found: bars.Findings, stage: Stage, inside: bool) -> None:
    if inside:
        found.million = stage.million()
        _show(report.of_million(found.million))


def _syntax(found: bars.Findings, stage: Stage, _: bool) -> None:
    found.syntax = syntax_speed.measure(stage.seed, plain=stage.scale.plain, compared=stage.scale.compared)
    for text in found.syntax.differing:
        _show(f"- judged otherwise by email-validator: {text!r}")


def _replies(found: bars.Findings, _: Stage, __: bool) -> None:
    found.replies = replies.score([*replies.phrases(), *_written()], replies.as_shipped)
    _show("### Replies\n\n```")
    replies.main()
    _show("```\n")


def _written() -> list[replies.Sample]:
    names = sorted({row["set"] for row in replies.rows("server_replies.jsonl")})
    return [sample for name in names for sample in replies.written(name)]


def _show(text: str) -> None:
    print(text, flush=True)


def _show_mistakes(scene: Scene) -> None:
    for row in scene.rows:
        if row.name.startswith(OURS) and row.score.wrong:
            _show(f"Not exact, {row.name}, {scene.title}:\n\n{report.of_mistakes(row)}")


_PARTS = {"clean": _clean, "hostile": _hostile, "million": _million, "syntax": _syntax, "replies": _replies}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
