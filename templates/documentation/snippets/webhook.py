import base64
import hashlib
import hmac
import time


def is_ours(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """`secret` is the endpoint's whsec_…, `body` the bytes exactly as they came."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    right = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(right, one) for one in headers["webhook-signature"].split())
