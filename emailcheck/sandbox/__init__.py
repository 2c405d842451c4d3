"""The simulated outside world, in a process of its own. Nothing in it is ever dialled for real."""

from emailcheck.sandbox.runtime import Sandbox, SandboxOptions, start_sandbox

__all__ = ["Sandbox", "SandboxOptions", "start_sandbox"]
