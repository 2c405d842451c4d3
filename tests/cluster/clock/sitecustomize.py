"""Sets the clock of a Python program ahead, which finds this folder on its path: by `CLUSTER_CLOCK_AHEAD` seconds.

How long something takes is measured as ever. libfaketime cannot do that for Python: with it either `time.sleep` fails
or waiting for a thread never ends.
"""

import os
from datetime import UTC, datetime, timedelta

import time_machine

time_machine.travel(datetime.now(UTC) + timedelta(seconds=float(os.environ["CLUSTER_CLOCK_AHEAD"])), tick=True).start()
