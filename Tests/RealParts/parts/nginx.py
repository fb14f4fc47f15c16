"""nginx: client certificates, streams of HTTP/2 that break, and a limit of requests."""

import os
import pathlib
import signal
import sys
import time

from looking import NETDASH, Report, environment, netdash, other_bytes, partial, run, wait_until
from servers import Servers, free_port, make_certificates


def begin(
    servers: Servers, listening: str, server: str, process: str = "", shared: str = "", port: int | None = None
) -> int:
    """nginx with one server; `process` and `shared` are lines of the process and of what its servers share."""
    port = port or free_port()
    folder = servers.folder
    # Its workers are of another user where it is begun by root.
    folder.chmod(0o755)
    settings = folder / "nginx.conf"
    settings.write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log; {process}\n"
        "events {}\nhttp { log_format told \"$server_protocol $http_user_agent\";\n"
        "log_format answers \"$status $uri\";\n"
        f"access_log {folder}/nginx-access.log told; access_log {folder}/nginx-answers.log answers; {shared}\n"
        + "".join(
            f"{kind}_temp_path {folder}/{kind};\n" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        )
        + f"server {{ listen 127.0.0.1:{port} {listening};\n{server} }} }}\n"
    )
    return servers.begin(["nginx", "-c", settings, "-e", folder / "nginx-error.log"], port)


def secure(folder: pathlib.Path) -> str:
    return f"ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.key;"


def certificates(servers: Servers, report: Report) -> None:
    folder = servers.folder
    make_certificates(folder)
    data = b"from nginx\n" * 1000
    (folder / "file").write_bytes(data)
    port = begin(
        servers, "ssl", f"{secure(folder)} root {folder}; ssl_client_certificate {folder}/ca.pem; ssl_verify_client on;"
    )
    url = f"https://127.0.0.1:{port}/file"
    words = ["--quiet", "--ephemeral", "--retries", "0"]
    result = netdash(
        [*words, "--cacert", "ca.pem", "--cert", "client.pem", "--key", "client.key", "-o", "with", url], folder
    )
    report.check("nginx", "a client certificate", result.problem() or other_bytes(folder / "with", data))
    code, _, _ = netdash([*words, "--cacert", "ca.pem", "-o", "without", url], folder)
    report.check("nginx", "none", None if code != 0 and not (folder / "without").exists() else "it was let in")
    report.check("nginx", "an unknown authority", netdash([*words, "-o", "unknown", url], folder).problem(5))


def cutting(servers: Servers, size: int, rate: int, cuts: int) -> int:
    """A server that cuts so many of its answers in the middle."""
    port = free_port()
    program = pathlib.Path(__file__).with_name("cut_server.py")
    return servers.begin([sys.executable, "-B", program, port, size, rate, cuts], port)


def http2(servers: Servers, report: Report) -> None:
    """Streams of HTTP/2 that are reset in the middle, and a server that goes away under them."""
    folder = servers.folder
    size = 3 << 20
    whole = b"".join(number.to_bytes(8, "big") for number in range(size // 8))
    words = ["--quiet", "--ephemeral", "--http2", "--cacert", "ca.pem", "-x", "1"]
    make_certificates(folder)
    origin = cutting(servers, size, 4 << 20, cuts=2)
    port = begin(
        servers,
        "ssl http2",
        f"{secure(folder)} location / {{ proxy_pass http://127.0.0.1:{origin}; "
        f"proxy_http_version 1.1; proxy_buffering off; }}",
        # When it is told to begin anew, its worker has a second left.
        "worker_processes 1; worker_shutdown_timeout 1s;",
    )
    url = f"https://127.0.0.1:{port}/file"
    _, told, _ = run(
        ["curl", "-s", "--cacert", "ca.pem", "-o", "/dev/null", "-r", "0-9", "-w", "%{http_version}", url], folder
    )
    report.check("http2", "the server speaks it", None if told == b"2" else f"{told!r}")
    result = netdash([*words, "--retries", "5", "-o", "cut", url], folder)
    report.check("http2", "a stream that is reset twice", result.problem() or other_bytes(folder / "cut", whole))
    asked = servers.log(sys.executable).split()
    report.check("http2", "goes on behind what has come",
                 None if any(word.startswith("bytes=") and word != "bytes=0-9" for word in asked) else f"{asked}")
    names = [f"copy-{number}" for number in range(4)]
    (folder / "list").write_text("".join(f"{url}?{name}\n  out={name}\n" for name in names))
    program = servers.start(
        [NETDASH, *words, "--retries", "5", "-j", "4", "--max-per-host", "4", "--limit-rate", "2M", "-i", "list"],
        environment(folder))
    wait_until(lambda: sum(partial(folder, name) for name in names) > 200_000)
    # The worker says GOAWAY, and a second later it is gone with its connection.
    os.kill(int((folder / "nginx.pid").read_text()), signal.SIGHUP)
    code = program.wait(60)
    problems = [other_bytes(folder / name, whole) for name in names]
    report.check("http2", "a server that goes away under four downloads",
                 next(filter(None, problems), None) if code == 0 else f"{code}: {servers.last_line(NETDASH)}")
    asked = [line for line in (folder / "nginx-access.log").read_text().splitlines() if "netdash" in line]
    report.check("http2", "netdash speaks it",
                 None if asked and all(line.startswith("HTTP/2.0 ") for line in asked) else f"{asked[:5]}")


def rate(servers: Servers, report: Report) -> None:
    """Five requests in a second; what comes too early is refused without a word of when to come again."""
    folder = servers.folder
    files = {f"file-{number}": os.urandom(2000 + number) for number in range(40)}
    (folder / "files").mkdir()
    for name, data in files.items():
        (folder / "files" / name).write_bytes(data)
    for status, words, burst in [
        (429, ["--rate", "5/s"], ""),
        (503, ["--rate-per-host", "5/s"], ""),
        (429, [], " burst=10 nodelay"),
    ]:
        name = " ".join(words) or "no option"
        port = begin(
            servers, "", f"root {folder}/files; limit_req zone=all{burst}; limit_req_status {status};",
            shared="limit_req_zone $binary_remote_addr zone=all:1m rate=5r/s;")
        (folder / "list").write_text("".join(f"http://127.0.0.1:{port}/{file}\n" for file in files))
        answers = folder / "nginx-answers.log"
        answers.write_text("")
        got = folder / f"got-{status}{len(burst)}"
        began = time.monotonic()
        result = netdash(["--quiet", "--ephemeral", *words, "-d", got.name, "-i", "list"], folder)
        took = time.monotonic() - began
        problems = [other_bytes(got / path, data) for path, data in files.items()]
        report.check("rate", f"40 files with {name}", result.problem() or next(filter(None, problems), None))
        refused = [line for line in answers.read_text().splitlines() if line.startswith(str(status))]
        report.say("rate", f"{name}: 40 files in {took:.1f} s, {len(refused)} times {status}")
        if words:
            report.check(
                "rate", f"at most three {status} with {name}", None if len(refused) <= 3 else f"{len(refused)}"
            )
            report.check("rate", f"at most 10 s with {name}", None if took <= 10 else f"{took:.1f} s")
        told = run(
            ["curl", "-s", "-w", "|%{http_code}", "-o", "/dev/null", f"http://127.0.0.1:{port}/file-[0-39]"], folder
        ).output
        report.check(
            "rate", f"the server limits: {status}{burst}", None if f"|{status}".encode() in told else f"{told!r}"
        )
        servers.end()
