"""Signals of the accounts to the apps above, sent inside the transaction of the change."""

from django.dispatch import Signal

user_registered = Signal()
"""`user`: an account was made; its address is not verified yet."""

user_verified = Signal()
"""`user`: the address of an account was verified for the first time."""

account_reclaimed = Signal()
"""`user`: an account that nobody had confirmed goes to the owner of its address; what others made of it ends."""

organisation_suspended = Signal()
"""`organisation`: staff suspended its only owner; until they are readmitted its keys and members are refused."""

organisation_readmitted = Signal()
"""`organisation`: staff ended the suspension of its only owner."""

organisation_founded = Signal()
"""`organisation`: somebody who held none got an empty one; free credits do not come with it."""

organisation_deleted = Signal()
"""`organisation`: it is being closed for good; the queue erases its rows."""

user_deleted = Signal()
"""`user`: an account is being closed for good; its address is still there."""
