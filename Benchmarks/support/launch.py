"""Starts one command, waits for it and prints what it used: wall, CPU, peak KiB, exit code.

    python3 -S launch.py LOG COMMAND...

A program of its own, and a small one: the kernel reports at least the memory of whoever forked a command as its peak.
"""

import os
import sys
import time

log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
files = [(os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)]
began = time.monotonic()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=files)
_, status, usage = os.wait4(child, 0)
wall = time.monotonic() - began
print(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, os.waitstatus_to_exitcode(status))
