"""Records netdash demo into an asciicast, with a few keys pressed at fixed times. Start it through script/screens."""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

# With fewer than twenty lines no path is on the screen.
COLUMNS, ROWS = 80, 19
# What is seen: the selection moves, a pause and a resume, a filter, the add form, the timing of a transfer, and an end
# that comes by itself.
KEYS = [(1.5, "j"), (0.5, "p"), (1.2, "/"), (0.2, "t"), (0.2, "a"), (0.2, "r"), (1.0, "\x1b"), (0.5, "a"),
        (1.5, "\x1b"), (0.4, "r"), (0.3, "g"), (0.2, "]"), (0.2, "]"), (0.2, "\r"), (1.2, "\x1b"), (0.3, "q"), (1.0, "w")]


def record(cast: str, netdash: str, folder: str) -> None:
    """Runs the demo in a terminal of its own, of known size and kind, whoever makes the recording."""
    user = [f"XDG_{name}_HOME={os.path.join(folder, name)}" for name in ("CONFIG", "STATE")]
    program = ["env", "-u", "TMUX", "-u", "TMUX_PANE", "-u", "SSH_CONNECTION", "-u", "COLORTERM", "TERM=tmux-256color",
               "LC_ALL=C.UTF-8", *user, os.path.abspath(netdash), "demo"]
    asciinema = ["asciinema", "rec", "--quiet", "--overwrite", "--cols", str(COLUMNS), "--rows", str(ROWS),
                 "--idle-time-limit", "2", "--env", "TERM", "--command", shlex.join(program), cast]
    tmux = ["tmux", "-L", f"netdash-cast-{os.getpid()}", "-f", os.devnull]
    subprocess.run([*tmux, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), shlex.join(asciinema)],
                   check=True)
    try:
        for pause, key in KEYS:
            time.sleep(pause)
            subprocess.run([*tmux, "send-keys", "-l", key], check=False, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while subprocess.run([*tmux, "has-session"], capture_output=True, check=False).returncode == 0:
            if time.monotonic() > deadline:
                raise SystemExit("ui_cast.py: the demo does not come to its end")
            time.sleep(0.1)
    finally:
        subprocess.run([*tmux, "kill-server"], capture_output=True, check=False)


def clean(cast: str) -> None:
    """Keeps of the header what a player needs; the command and the moment are nobody's business."""
    with open(cast, encoding="utf-8") as file:
        header, *events = file.read().splitlines()
    kept = {name: value for name, value in json.loads(header).items() if name in ("version", "width", "height")}
    text = "\n".join([json.dumps({**kept, "title": "netdash demo"}), *events]) + "\n"
    path = re.search(r"/(?:home|root|tmp|work|var|Users)/[^\"\\\s]*", text)
    if path:
        raise SystemExit(f"ui_cast.py: there is a path in the recording: {path.group()}")
    with open(cast, "w", encoding="utf-8") as file:
        file.write(text)


def main() -> int:
    cast, netdash = sys.argv[1:]
    os.makedirs(os.path.dirname(cast), exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "demo.cast")
        record(recording, netdash, folder)
        clean(recording)
        with open(recording, "rb") as source, open(cast, "wb") as target:
            target.write(source.read())
    print(f"{cast}: {os.path.getsize(cast)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
