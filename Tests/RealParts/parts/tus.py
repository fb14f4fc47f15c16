"""A tus server: uploads that are killed, whose connection is cut, or whose file changes, and how they go on."""

import os
import pathlib
import subprocess

from looking import NETDASH, Report, environment, netdash, size, wait_until
from parts import nginx
from servers import Missing, Servers, free_port

SIZE = 24 << 20


def begin(servers: Servers) -> int:
    servers.install("tus", "tuspyserver", "uvicorn")
    program = pathlib.Path(__file__).with_name("tus_server.py")
    (servers.folder / "kept").mkdir(exist_ok=True)
    port = free_port()
    return servers.begin(["python", "-B", program, port, servers.folder / "kept"], port)


def kept(folder: pathlib.Path) -> list[pathlib.Path]:
    """The files of the server; each has another of its facts beside it."""
    return list((path for path in (folder / "kept").iterdir() if path.is_file() and not path.suffix))


def latest(folder: pathlib.Path, before: set[pathlib.Path]) -> pathlib.Path | None:
    """The file that has come since."""
    return next((path for path in kept(folder) if path not in before), None)


class Requests:
    """What a server was asked since a moment."""

    def __init__(self, servers: Servers):
        self.servers = servers
        self.before = len(self.all())

    def all(self) -> list[list[str]]:
        return [line.split() for line in self.servers.log("python").splitlines() if line.startswith("begins ")]

    def of(self, method: str) -> list[list[str]]:
        return [words for words in self.all()[self.before:] if words[1] == method]


def tus(servers: Servers, report: Report) -> None:
    port = begin(servers)
    folder = servers.folder
    url = f"http://127.0.0.1:{port}/files"
    data = os.urandom(SIZE)
    (folder / "film \u00e4.bin").write_bytes(data)
    for name, words, target in [("tus", ["--resumable", "tus"], url), ("auto", ["--resumable", "auto"], url + "/")]:
        before = set(kept(folder))
        result = netdash(
            ["upload", "--quiet", "--ephemeral", "--retries", "0", *words, "film \u00e4.bin", target], folder
        )
        report.check("tus", f"an upload: {name}", result.problem() or wrong(folder, before, data))
    killed(servers, report, url, data)
    behind_nginx(servers, report, port, data)
    changed(servers, report, url)


def wrong(folder: pathlib.Path, before: set[pathlib.Path], data: bytes) -> str | None:
    """What is wrong with the one file that has come since."""
    files = [path for path in kept(folder) if path not in before]
    if len(files) != 1:
        return f"{len(files)} files instead of one"
    return None if files[0].read_bytes() == data else f"other bytes ({size(files[0])} instead of {len(data)})"


def begin_upload(servers: Servers, url: str, session: str) -> subprocess.Popen:
    words = [
        "upload",
        "--plain",
        "--session",
        session,
        "--resumable",
        "tus",
        "--limit-upload",
        "6M",
        "film \u00e4.bin",
        url,
    ]
    return servers.start([NETDASH, *words], environment(servers.folder))


def in_middle(folder: pathlib.Path, before: set[pathlib.Path]) -> bool:
    path = latest(folder, before)
    return path is not None and size(path) > SIZE // 4


def killed(servers: Servers, report: Report, url: str, data: bytes) -> None:
    folder = servers.folder
    before = set(kept(folder))
    asked = Requests(servers)
    program = begin_upload(servers, url, "killed")
    arrived = wait_until(lambda: in_middle(folder, before))
    program.kill()
    program.wait()
    report.check("tus", "netdash is killed in the middle", None if arrived else servers.last_line(NETDASH))
    result = netdash(["--plain", "--session", "killed"], folder)
    report.check("tus", "the next run goes on", result.problem() or wrong(folder, before, data))
    offsets = [words[3] for words in asked.of("PATCH")]
    report.check(
        "tus", "behind what had come", None if len(offsets) >= 2 and int(offsets[-1]) > SIZE // 8 else f"{offsets}"
    )
    report.check("tus", "as one upload", None if len(asked.of("POST")) == 1 else f"{asked.of('POST')}")


def behind_nginx(servers: Servers, report: Report, port: int, data: bytes) -> None:
    """nginx before the server is killed and comes back; the server keeps what it has got."""
    folder = servers.folder
    front = free_port()
    server = (f"location / {{ proxy_pass http://127.0.0.1:{port}; proxy_request_buffering off; proxy_http_version 1.1; "
              f"proxy_set_header Host $http_host; client_max_body_size 0; }}")
    try:
        nginx.begin(servers, "", server, "master_process off;", port=front)
    except Missing as missing:
        report.say("tus", f"nginx before it is left out, {missing}")
        return
    before = set(kept(folder))
    asked = Requests(servers)
    program = begin_upload(servers, f"http://127.0.0.1:{front}/files", "front")
    arrived = wait_until(lambda: in_middle(folder, before))
    broken = servers.running[-2]
    broken.kill()
    broken.wait()
    report.check(
        "tus", "nginx before it is killed in the middle", None if arrived and program.poll() is None else "it was not"
    )
    nginx.begin(servers, "", server, "master_process off;", port=front)
    code = program.wait(90)
    report.check("tus", "the upload goes on when nginx is back",
                 wrong(folder, before, data) if code == 0 else f"{code}: {servers.last_line(NETDASH)}")
    offsets = [words[3] for words in asked.of("PATCH")]
    report.check(
        "tus",
        "behind what the server has kept",
        None if len(offsets) >= 2 and int(offsets[-1]) > SIZE // 8 and len(asked.of("POST")) == 1 else f"{offsets}",
    )


def changed(servers: Servers, report: Report, url: str) -> None:
    folder = servers.folder
    before = set(kept(folder))
    program = begin_upload(servers, url, "changed")
    wait_until(lambda: in_middle(folder, before))
    program.kill()
    program.wait()
    first = latest(folder, before)
    data = os.urandom(SIZE)
    (folder / "film \u00e4.bin").write_bytes(data)
    result = netdash(["--plain", "--session", "changed"], folder)
    later = set(kept(folder)) - before - {first}
    problem = None if len(later) == 1 and later.pop().read_bytes() == data else "no complete file of the new bytes"
    report.check("tus", "a file that has changed is sent from its beginning", result.problem() or problem)
