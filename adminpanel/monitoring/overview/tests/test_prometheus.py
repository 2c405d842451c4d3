"""What Prometheus reads, and who may."""

from typing import Any

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from adminpanel.monitoring.measurements import samples
from adminpanel.monitoring.overview import api
from adminpanel.monitoring.overview.api import FORMAT
from emailcheck.common.queue import tasks
from emailcheck.common.web import metrics

pytestmark = pytest.mark.django_db


def scrape_metrics(client: Client, **options: Any) -> dict[str, dict[tuple[str, ...], float]]:
    answer = client.get("/metrics", **options)
    assert (answer.status_code, answer["Content-Type"]) == (200, FORMAT)
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for one in family.samples:
            found.setdefault(one.name, {})[tuple(one.labels.values())] = one.value
    return found


@pytest.mark.spec("MON-028")
def test_counters_only_grow_and_agree_with_what_was_asked(client: Client) -> None:
    client.get("/api/plans")
    client.get("/api/auth/me")
    metrics.count_work(rows=40, time_ms=1_500)
    before = scrape_metrics(client)
    assert before["emailcheck_requests_total"]["billing", "answered"] == 1
    assert before["emailcheck_requests_total"]["accounts", "refused"] == 1
    assert before["emailcheck_request_seconds_count"]["billing",] == 1
    assert before["emailcheck_request_seconds_bucket"]["billing", "+Inf"] == 1
    assert before["emailcheck_list_rows_total"][()] == 40
    assert before["emailcheck_list_chunk_seconds_total"][()] == 1.5
    samples.store_samples()
    client.get("/api/plans")
    tasks.enqueue("validation.tasks.work", queue="bulk")
    after = scrape_metrics(client)
    assert after["emailcheck_requests_total"]["billing", "answered"] == 2
    assert after["emailcheck_queue_waiting"]["bulk",] == 1
    assert 0 < after["emailcheck_memory_ratio"][()] < 1


@pytest.mark.spec("MON-033")
def test_without_a_token_only_this_machine_reads(client: Client) -> None:
    assert client.get("/metrics", REMOTE_ADDR="203.0.113.9").status_code == 403
    assert scrape_metrics(client, REMOTE_ADDR="127.0.0.1")


@pytest.mark.spec("MON-033")
def test_with_a_token_only_who_has_it_reads(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "METRICS_TOKEN", "scrape-me")
    assert client.get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == 403
    assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 403
    assert scrape_metrics(client, headers={"Authorization": "Bearer scrape-me"}, REMOTE_ADDR="203.0.113.9")
