"""This machine, measured: memory, processor, disk, and for how long this process has been running."""

import math
import os
import platform
import socket
import threading
import time
from dataclasses import dataclass

import psutil
from django.conf import settings

_GB = 1024**3
_FIRST_LOOK_S = 0.1
_LEAST_S = 1.0


@dataclass(frozen=True, slots=True)
class Machine:
    """Figures of a moment; of the disk that holds `VAR_DIR`."""

    memory_percent: float
    memory_available_gb: float
    cpu_percent: float
    disk_percent: float
    disk_available_gb: float
    uptime_hours: float


def machine_name() -> str:
    """What this machine is called."""
    return socket.gethostname()[:64]


def measure_machine() -> Machine:
    """Measure now; the processor since this process measured it last."""
    memory, disk = psutil.virtual_memory(), psutil.disk_usage(str(settings.VAR_DIR))
    return Machine(
        memory_percent=memory.percent,
        memory_available_gb=round(memory.available / _GB, 2),
        cpu_percent=_processor.percent(),
        disk_percent=disk.percent,
        disk_available_gb=round(disk.free / _GB, 2),
        uptime_hours=round((time.time() - psutil.Process(os.getpid()).create_time()) / 3_600, 2),
    )


def describe_machine() -> dict[str, str | float]:
    """What does not change while it runs."""
    return {
        "python_version": platform.python_version(),
        "platform": platform.platform(),
        "memory_total_gb": round(psutil.virtual_memory().total / _GB, 2),
    }


class _Processor:
    """psutil measures since its last call: a reading is cached for a second, because a shorter time means
    nothing; the first call has no such time, and takes a moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read_at = -math.inf
        self._percent = 0.0

    def percent(self) -> float:
        """How much of it was in use since the last reading."""
        with self._lock:
            if time.monotonic() >= self._read_at + _LEAST_S:
                interval = _FIRST_LOOK_S if self._read_at == -math.inf else None
                self._percent, self._read_at = float(psutil.cpu_percent(interval=interval)), time.monotonic()
            return self._percent


_processor = _Processor()
