"""Signals of the accounts to the apps above, sent inside the transaction of the change."""

from django.dispatch import Signal

user_registered = Signal()
"""`user`: an account was made; its address is not verified yet."""

user_verified = Signal()
"""`user`: the address of an account was verified for the first time."""

user_suspended = Signal()
"""`user`: staff suspended the account; its sign-ins have ended, and until it is readmitted its keys are refused."""

user_readmitted = Signal()
"""`user`: staff ended the suspension of the account."""

user_deleted = Signal()
"""`user`: an account is being closed for good; its address is still there."""
