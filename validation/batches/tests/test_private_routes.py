"""What a proxy is called and how we sign in to it is nobody's business."""

import json
import logging
import socket
from typing import Any

import pytest

from accounts.users.models import User
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.results.presentation import present_result_in_full
from validation.single.services import validate_single

SECRETS = ("egress-3", "s3cret-w0rd")


@pytest.mark.parametrize("is_open", [True, False])
def test_results_lists_and_logs_hold_no_word_of_a_proxys_credentials(
    world: Sandbox, alice: User, settings: Any, caplog: pytest.LogCaptureFixture, is_open: bool
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = world.socks_port if is_open else closed.getsockname()[1]
        settings.VERIFIER_ROUTES = (f"socks5://{':'.join(SECRETS)}@127.0.0.1:{port}",)
        with caplog.at_level(logging.DEBUG):
            single = validate_single(organisation=alice.own_organisation, address="ida.holm@harborquill.com")
            batch = batches.start_list(
                organisation=alice.own_organisation,
                lines=["rosa.kent@harborquill.com"],
                batch_type=BatchType.BULK_TEXTAREA,
            )
    shown = [present_result_in_full(result) for result in (single, *batch.results.all())]
    assert [row["category"] for row in shown] == ["valid" if is_open else "unknown"] * 2
    everything = json.dumps(shown, default=str) + caplog.text
    assert [secret for secret in (*SECRETS, f":{port}") if secret in everything] == []
