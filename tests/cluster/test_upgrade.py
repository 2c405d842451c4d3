"""Two versions beside each other on one database, and machines that are replaced while calls go on."""

from pathlib import Path

import pytest

from tests.cluster import checks
from tests.cluster.calls import CallsUnderWay
from tests.cluster.cluster import list_missing, running_cluster
from tests.cluster.customer import Customer
from tests.cluster.upgrade import migrate, replace_machine
from tests.cluster.versions import count_lists, make_next_version
from tests.soak import LIST, addresses_of
from tests.stack import ROOT, wait_until

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.skipif(bool(list_missing()), reason=f"not installed: {', '.join(list_missing())}"),
]
CALLS_A_SECOND, ROWS = 4, 500


@pytest.mark.spec("SCA-024")
def test_machines_are_replaced_by_the_next_version_without_a_failed_call_or_a_lost_row(tmp_path: Path) -> None:
    code = make_next_version(tmp_path)
    addresses = [line.lower() for line in addresses_of(LIST)[:ROWS]]
    with running_cluster() as cluster:
        customer = Customer(cluster)
        checks.watch_schedules(cluster)
        with CallsUnderWay(cluster.address, customer.key, rate=CALLS_A_SECOND) as warming:
            checks.check_list(customer, customer.start_list(addresses), addresses, 120)
        web, worker, *others = (cluster.webs[0], *cluster.workers, *cluster.webs[1:])
        with CallsUnderWay(cluster.address, customer.key, rate=CALLS_A_SECOND, again=False) as calls:
            begun = [customer.start_list(addresses)]
            migrate(cluster, code)
            earlier, _ = count_lists(cluster.postgres.query)
            for machine in (worker, web):
                replace_machine(cluster, machine, code)

            def both_have_made_lists() -> bool:
                begun.append(customer.start_list(addresses))
                before, after = count_lists(cluster.postgres.query)
                return before > earlier and after > 0

            wait_until(both_have_made_lists, 60)
            for machine in others:
                replace_machine(cluster, machine, code)
        assert not calls.outcome.failures
        assert (len(calls.outcome.ids) > 0, cluster.list_running(ROOT)) == (True, [])
        for batch_id in begun:
            checks.check_list(customer, batch_id, addresses, 120)
        checks.check_calls(cluster, [warming.outcome, calls.outcome])
        checks.check_books(cluster)
        checks.check_processes(cluster)
        customer.client.close()
