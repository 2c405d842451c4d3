#!/usr/bin/env python
"""Django's command line."""

import gc
import os
import sys

from emailcheck.common.queue import supervisor

if __name__ == "__main__":
    if supervisor.should_supervise(sys.argv):
        sys.exit(supervisor.supervise(sys.argv))

    from django.core.management import execute_from_command_line

    gc.disable()  # nothing of what is loaded now ever goes; `emailcheck.apps.Loaded` enables it
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "emailcheck.settings")
    execute_from_command_line(sys.argv)
