"""What `test_work_goes_on` runs on a PostgreSQL of its own, which dies at once and comes back, again and again."""

from functools import partial
from pathlib import Path

from tests.abuse.test_work_goes_on import asked
from tests.soak import LIMITS, Soak, kill_the_database, soaking
from tests.stack import wait_until

ROWS = 3_000
DEATHS = 4


def has_asked(soaked: Soak, recipients: int) -> bool:
    return asked(soaked.world) >= recipients


def test_nobody_is_asked_again_because_a_database_died(tmp_path: Path) -> None:
    """As many recipients as in a calm run, but for a fiftieth: an envelope that is cut may go out once more."""
    with soaking(2026, tmp_path, ROWS, LEASE_SECONDS="30", **LIMITS) as soaked:
        stack = soaked.ready()
        assert soaked.export(soaked.finished(soaked.start(soaked.rows))) == soaked.calm
        calm = asked(soaked.world)
        soaked.ready()
        batch_id = soaked.start(soaked.rows)
        for death in range(DEATHS):
            wait_until(partial(has_asked, soaked, calm * (death + 1) // (DEATHS + 2)), 120)
            kill_the_database(stack, soaked.rng)
        assert soaked.export(soaked.finished(batch_id)) == soaked.calm
        assert calm * 0.98 <= asked(soaked.world) <= calm * 1.02
        assert stack.manage("reconcile").startswith("0 differences")
