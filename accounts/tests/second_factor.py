"""An authenticator app."""

import time

import pyotp

from accounts import mfa
from accounts.models import User

STEP_S = 30


def code_of(secret: str, *, steps: int = 0) -> str:
    """The code that the app shows now, or so many time steps later."""
    return pyotp.HOTP(secret).at(int(time.time()) // STEP_S + steps)


def turn_on(user: User) -> tuple[str, list[str]]:
    """Turn the second factor on with the code of the step before. Answers the secret and the recovery codes."""
    secret = mfa.start(user=user).secret
    return secret, mfa.confirm(user=user, code=code_of(secret, steps=-1))
