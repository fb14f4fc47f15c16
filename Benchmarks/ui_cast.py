"""Records netdash demo into an asciicast, with a few keys pressed at fixed times. Start it through script/screens."""

import os
import shlex
import subprocess
import sys
import time

KEYS = [(2.5, "j"), (0.4, "j"), (0.8, "p"), (1.5, "d"), (2.0, "r"), (1.5, "/"), (0.3, "i"), (0.2, "s"), (0.2, "o"),
        (1.5, "\x1b"), (1.5, "?"), (2.0, "\x1b"), (3.0, "Q")]


def main() -> int:
    cast, netdash = sys.argv[1:]
    os.makedirs(os.path.dirname(cast), exist_ok=True)
    # A shell of known size around it, so that a recording does not depend on who makes it.
    record = ["asciinema", "rec", "--quiet", "--overwrite", "--cols", "110", "--rows", "32", "--idle-time-limit", "2",
              "--env", "TERM", "--command", f"{shlex.quote(os.path.abspath(netdash))} demo", cast]
    tmux = ["tmux", "-L", f"netdash-cast-{os.getpid()}", "-f", os.devnull]
    subprocess.run([*tmux, "new-session", "-d", "-x", "110", "-y", "32", shlex.join(record)], check=True)
    try:
        for pause, key in KEYS:
            time.sleep(pause)
            subprocess.run([*tmux, "send-keys", "-l", key], check=False)
        while subprocess.run([*tmux, "has-session"], capture_output=True, check=False).returncode == 0:
            time.sleep(0.1)
    finally:
        subprocess.run([*tmux, "kill-server"], capture_output=True, check=False)
    print(f"{cast}: {os.path.getsize(cast)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
