"""This machine, measured: memory, processor, disk, and for how long this process has been running."""

import os
import platform
import socket
import time
from dataclasses import dataclass
from functools import lru_cache

import psutil
from django.conf import settings

_GB = 1024**3
_FIRST_LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class Machine:
    """Figures of a moment; of the disk that holds `VAR_DIR`."""

    memory_percent: float
    memory_available_gb: float
    cpu_percent: float
    disk_percent: float
    disk_available_gb: float
    uptime_hours: float


def name() -> str:
    """What this machine is called."""
    return socket.gethostname()[:64]


def look() -> Machine:
    """Measure now; the processor since the last look of this process."""
    memory, disk = psutil.virtual_memory(), psutil.disk_usage(str(settings.VAR_DIR))
    return Machine(
        memory_percent=memory.percent,
        memory_available_gb=round(memory.available / _GB, 2),
        cpu_percent=_cpu_percent(),
        disk_percent=disk.percent,
        disk_available_gb=round(disk.free / _GB, 2),
        uptime_hours=round((time.time() - psutil.Process(os.getpid()).create_time()) / 3_600, 2),
    )


def description() -> dict[str, str | float]:
    """What does not change while it runs."""
    return {
        "python_version": platform.python_version(),
        "platform": platform.platform(),
        "memory_total_gb": round(psutil.virtual_memory().total / _GB, 2),
    }


def _cpu_percent() -> float:
    _has_a_beginning()
    return float(psutil.cpu_percent(interval=None))


@lru_cache(maxsize=1)
def _has_a_beginning() -> None:
    """psutil answers for the time since its last call; before the first one it knows nothing."""
    psutil.cpu_percent(interval=None)
    time.sleep(_FIRST_LOOK_S)
