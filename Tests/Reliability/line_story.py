"""Downloads over bad lines and with bad name servers, in network namespaces of their own.

    script/line-story [names|loss|slow|address]...      one of the stories; all of them without a word

They need root, `ip` and tun devices; where that is missing they are skipped by name. NETDASH names the program's binary.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import outage_server

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Benchmarks"))
from support.lossy_line import CLIENT, SERVER, LossyLine, Unavailable  # noqa: E402

NETDASH = os.environ.get("NETDASH", "netdash")
PORT = "8080"
OTHER_CLIENT = "10.98.0.3"


def fail(sentence: str) -> None:
    sys.exit(f"line-story: {sentence}")


@contextlib.contextmanager
def serving(prefix: list[str], address: str, folder: pathlib.Path):
    """A server that has a file for each path, see outage_server."""
    server = subprocess.Popen([*prefix, sys.executable, "-B", outage_server.__file__, address, PORT, str(folder)])
    try:
        yield
    finally:
        server.kill()
        server.wait()


def wait_for_server(prefix: list[str], address: str) -> None:
    word = f"import socket; socket.create_connection(('{address}', {PORT}), 1)"
    for _ in range(100):
        if subprocess.run([*prefix, sys.executable, "-c", word], capture_output=True).returncode == 0:
            return
        time.sleep(0.05)
    fail("the server is not there")


def download(prefix: list[str], folder: pathlib.Path, *words: str) -> tuple[list[dict], float]:
    """The events of a download that has to end right, and its seconds."""
    began = time.monotonic()
    run = subprocess.run(
        [*prefix, NETDASH, "--json", "--ephemeral", "-d", str(folder / "got"), *words], capture_output=True, text=True, timeout=240)
    events = [json.loads(line) for line in run.stdout.splitlines()]
    if run.returncode != 0:
        fail(f"exit code {run.returncode}: {run.stdout[-600:]}{run.stderr[-300:]}")
    return events, time.monotonic() - began


def is_right(folder: pathlib.Path, name: str) -> None:
    if (folder / "got" / name).read_bytes() != outage_server.content("/" + name):
        fail(f"{name} is wrong")


def loss(folder: pathlib.Path) -> None:
    """A fifth of all packets is lost, both ways: no attempt is given up for it."""
    with LossyLine(round_trip=0.02, loss=0.2, loss_back=0.2) as line, serving(line.server, SERVER, folder):
        wait_for_server(line.client, SERVER)
        events, seconds = download(line.client, folder, f"http://{SERVER}:{PORT}/f1")
    if any(event["event"] == "retrying" for event in events):
        fail("an attempt was given up though bytes moved")
    is_right(folder, "f1")
    print(f"line-story: loss: {seconds:.1f} s, and no attempt was given up")


def slow(folder: pathlib.Path) -> None:
    """1 Mbit/s, 200 ms, and 100 ms more or less: the time is that of the line."""
    with LossyLine(round_trip=0.4, loss=0, jitter=0.1, rate=125_000) as line, serving(line.server, SERVER, folder):
        wait_for_server(line.client, SERVER)
        events, seconds = download(line.client, folder, f"http://{SERVER}:{PORT}/f1")
    size = len(outage_server.content("/f1"))
    if any(event["event"] == "retrying" for event in events) or seconds > 3 * size / 125_000 + 5:
        fail(f"{size} bytes took {seconds:.1f} s")
    is_right(folder, "f1")
    print(f"line-story: slow: {size} bytes in {seconds:.1f} s")


def address(folder: pathlib.Path) -> None:
    """The client gets another address in the middle: the rest comes over another connection, and once."""
    with LossyLine(round_trip=0.01, loss=0, rate=200_000) as line, serving(line.server, SERVER, folder):
        wait_for_server(line.client, SERVER)
        device = re.search(r"\d+: (nd\w+)", run_in(line.client, "ip", "-o", "link", "show", "type", "tun")).group(1)
        there = re.search(r"\d+: (nd\w+)", run_in(line.server, "ip", "-o", "link", "show", "type", "tun")).group(1)
        run_in(line.server, "ip", "route", "add", OTHER_CLIENT, "dev", there)
        words = [
            *line.client, NETDASH, "--json", "--ephemeral", "--stall-timeout", "2", "--connect-timeout", "5", "-d",
            str(folder / "got"), f"http://{SERVER}:{PORT}/f1"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        time.sleep(1.5)
        run_in(line.client, "ip", "address", "delete", CLIENT, "peer", SERVER, "dev", device)
        run_in(line.client, "ip", "address", "add", OTHER_CLIENT, "peer", SERVER, "dev", device)
        output, _ = process.communicate(timeout=120)
    events = [json.loads(line) for line in output.splitlines()]
    if process.returncode != 0 or not any(event.get("status") == 206 for event in events):
        fail(f"exit code {process.returncode}: {output[-600:]}")
    is_right(folder, "f1")
    print("line-story: address: the rest came over another connection")


def run_in(prefix: list[str], *words: str) -> str:
    return subprocess.run([*prefix, *words], check=True, capture_output=True, text=True).stdout


def names(folder: pathlib.Path) -> None:
    """Names that are unknown, broken, silent, empty, in a circle, come late, or have 4,000 addresses."""
    (folder / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:4 attempts:1\n")
    script = (
        "ip link set lo up && ip link add out type veth peer name far && ip address add 10.9.9.9/24 dev out && ip link set far up"
        " && ip link set out up && ip route add default via 10.9.9.1 && mount --bind resolv.conf /etc/resolv.conf && exec \"$@\"")
    inner = [sys.executable, "-B", __file__, "--in-namespace", str(folder)]
    run = subprocess.run(["unshare", "-n", "-m", "sh", "-c", script, "sh", *inner], cwd=folder)
    if run.returncode != 0:
        sys.exit(run.returncode)


def names_inside(folder: pathlib.Path) -> None:
    script = pathlib.Path(__file__).with_name("dns_server.py")
    with contextlib.ExitStack() as stack:
        server = subprocess.Popen([sys.executable, "-B", str(script)], stdout=subprocess.PIPE)
        stack.callback(server.kill)
        server.stdout.readline()
        stack.enter_context(serving([], "0.0.0.0", folder))
        wait_for_server([], "127.0.0.1")
        bad = ["unknown", "broken", "silent", "empty", "circle"]
        good = ["many", "later", "plain"]
        urls = [f"http://{name}.test:{PORT}/{name}" for name in bad + good]
        began = time.monotonic()
        words = [NETDASH, "--json", "--ephemeral", "--retries", "2", "-j8", "-d", str(folder / "got"), *urls]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        ends, answered = {}, {}
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "response":
                answered[event["id"]] = time.monotonic() - began
            if event["event"] in ("completed", "failed"):
                ends[event["id"]] = event
        process.wait()
    for number, name in enumerate(bad + good, start=1):
        event = ends[number]
        if name in good:
            if event["event"] != "completed":
                fail(f"{name}: {event}")
            is_right(folder, name)
            if name == "plain" and answered[number] > 3:
                fail(f"a lookup that takes its time held another one up for {answered[number]:.1f} s")
        elif event["event"] != "failed" or f"{name}.test" not in json.dumps(event):
            fail(f"{name}: {event}")
    print(f"line-story: names: {len(bad)} failed with their hosts named, {len(good)} came")


STORIES = {"names": names, "loss": loss, "slow": slow, "address": address}


def main() -> None:
    if sys.argv[1:2] == ["--in-namespace"]:
        return names_inside(pathlib.Path(sys.argv[2]))
    if os.geteuid() != 0 or shutil.which("ip") is None or not os.path.exists("/dev/net/tun"):
        print("line-story: skipped, because network namespaces need root, ip (package iproute2) and tun devices")
        return
    for name in sys.argv[1:] or STORIES:
        with tempfile.TemporaryDirectory() as folder:
            try:
                STORIES[name](pathlib.Path(folder))
            except Unavailable as reason:
                print(f"line-story: {name} skipped: {reason}")


if __name__ == "__main__":
    main()
