"""Twenty downloads and five uploads, whose server goes away, and then the route to it: all end right without a key.

    script/outage-story [SECONDS]      how long the server is away, and then the route (20)

Two network namespaces stand for two machines, the server behind the other's default route. They need root and `ip`; where
that is missing the story is skipped by name. NETDASH names the program's binary.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import outage_server

DOWNLOADS = 20
UPLOADS = 5
ADDRESS = "198.51.100.7"
PORT = "8080"
RETURN_SECONDS = 1.0  # From the route's return to the first answer.


class Machines:
    """Two namespaces with a line between them."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self.server = f"outage-s{os.getpid()}"
        self.client = f"outage-c{os.getpid()}"
        for name in (self.server, self.client):
            run("ip", "netns", "add", name)
            stack.callback(run, "ip", "netns", "delete", name)
        line = f"os{os.getpid()}"
        run("ip", "link", "add", line, "netns", self.server, "type", "veth", "peer", "name", "out", "netns", self.client)
        for name, device, address in ((self.server, line, "10.77.0.1"), (self.client, "out", "10.77.0.2")):
            run("ip", "-n", name, "address", "add", address + "/24", "dev", device)
            run("ip", "-n", name, "link", "set", device, "up")
            run("ip", "-n", name, "link", "set", "lo", "up")
        run("ip", "-n", self.server, "address", "add", ADDRESS + "/32", "dev", "lo")
        self.route("add")

    def route(self, what: str) -> None:
        run("ip", "-n", self.client, "route", what, "default", "via", "10.77.0.1")


def run(*words: str) -> None:
    subprocess.run(words, check=True)


@contextlib.contextmanager
def serving(machines: Machines, folder: pathlib.Path):
    """The server, while it is there."""
    words = ["ip", "netns", "exec", machines.server, sys.executable, "-B", outage_server.__file__]
    server = subprocess.Popen([*words, ADDRESS, PORT, str(folder)])
    try:
        yield
    finally:
        server.kill()
        server.wait()


class Events:
    """What the program tells, read as it comes."""

    def __init__(self, path: pathlib.Path, process: subprocess.Popen) -> None:
        self.file = path.open()
        self.process = process
        self.all: list[dict] = []

    def wait(self, holds, what: str, seconds: float = 60) -> dict:
        """The first event from here on for which something holds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            line = self.file.readline()
            if not line:
                if self.process.poll() is not None and not (line := self.file.readline()):
                    break
                time.sleep(0.01)
                continue
            event = json.loads(line)
            self.all.append(event)
            if holds(event):
                return event
        sys.exit(f"outage-story: waited in vain for {what}")


def is_named(*names: str):
    return lambda event: event["event"] in names


def story(folder: pathlib.Path, away: float, stack: contextlib.ExitStack) -> None:
    machines = Machines(stack)
    arrived = folder / "arrived"
    arrived.mkdir()
    bodies = {f"u{number}": os.urandom(600_000) for number in range(UPLOADS)}
    base = f"http://{ADDRESS}:{PORT}/"
    jobs = [f"{base}f{number}" for number in range(DOWNLOADS)]
    for name, body in bodies.items():
        (folder / name).write_bytes(body)
        jobs.append(f"{base}{name}\n kind=upload\n body-file={name}")
    (folder / "list").write_text("\n".join(jobs) + "\n")
    netdash = os.environ.get("NETDASH", "netdash")
    words = [netdash, "--json", "-j", "6", "--stall-timeout", "5", "--connect-timeout", "5", "-d", "got", "-i", "list"]
    output = folder / "events"
    with serving(machines, arrived), output.open("w") as sink:
        client = ["ip", "netns", "exec", machines.client, *words]
        process = subprocess.Popen(client, cwd=folder, stdout=sink, stderr=subprocess.DEVNULL)
        stack.callback(process.kill)
        events = Events(output, process)
        events.wait(is_named("completed"), "the first end")
    events.wait(is_named("backoff"), "the server being left alone")
    time.sleep(away)
    with serving(machines, arrived):
        events.wait(is_named("released"), "the server being asked again", 40)
        events.wait(is_named("completed"), "the next end")
        machines.route("delete")
        events.wait(is_named("offline"), "the network being missed")
        time.sleep(away)
        machines.route("add")
        began = time.monotonic()
        events.wait(is_named("response"), "an answer behind the route's return")
        seconds = time.monotonic() - began
        print(f"outage-story: {seconds:.2f} s from the route's return to the first answer")
        summary = events.wait(is_named("summary"), "the end", 300)
    status = process.wait()
    failures = [event for event in events.all if event["event"] == "failed"]
    if status != 0 or failures or summary["completed"] != DOWNLOADS + UPLOADS:
        sys.exit(f"outage-story: exit code {status}, {summary}, {failures}")
    for number in range(DOWNLOADS):
        if (folder / "got" / f"f{number}").read_bytes() != outage_server.content(f"/f{number}"):
            sys.exit(f"outage-story: f{number} is wrong")
    for name, body in bodies.items():
        if (arrived / name).read_bytes() != body:
            sys.exit(f"outage-story: {name} is wrong")
    if seconds > RETURN_SECONDS:
        sys.exit(f"outage-story: more than {RETURN_SECONDS} s")


def main() -> None:
    if os.geteuid() != 0 or shutil.which("ip") is None:
        print("outage-story: skipped, because network namespaces need root and ip (package iproute2)")
        return
    away = float(sys.argv[1]) if len(sys.argv) > 1 else 20
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        story(folder, away, stack)
    print(f"outage-story: {DOWNLOADS} downloads and {UPLOADS} uploads ended right")


if __name__ == "__main__":
    main()
