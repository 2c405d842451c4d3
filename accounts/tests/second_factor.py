"""An authenticator app."""

import time

import pyotp

from accounts.signin import second_factor
from accounts.users.models import User

STEP_S = 30


def compute_code(secret: str, *, steps: int = 0) -> str:
    """The code that the app shows now, or so many time steps later."""
    return pyotp.HOTP(secret).at(int(time.time()) // STEP_S + steps)


def enable_second_factor(user: User) -> tuple[str, list[str]]:
    """Turn the second factor on with the code of the step before. Answers the secret and the recovery codes."""
    secret = second_factor.start_setup(user=user).secret
    return secret, second_factor.confirm_setup(user=user, code=compute_code(secret, steps=-1))
