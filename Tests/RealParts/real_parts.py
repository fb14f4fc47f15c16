"""Lets netdash work with real servers, proxies, a browser and a server of tickets, one part after the other."""

import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import typing

from looking import NETDASH, Report, say
from parts import apache, firefox, httpbin, kerberos, nginx, object_stores, proxies, rpc_trouble, tus, wsgidav
from servers import Missing, Servers

PARTS: dict[str, typing.Callable[[Servers, Report], None]] = {
    "httpbin": httpbin.httpbin, "moto": object_stores.moto, "swift": object_stores.swift, "wsgidav": wsgidav.wsgidav,
    "tus": tus.tus, "proxies": proxies.proxies, "nginx": nginx.certificates, "http2": nginx.http2, "rate": nginx.rate,
    "apache": apache.apache, "kerberos": kerberos.kerberos, "firefox": firefox.firefox,
    "rpc": rpc_trouble.rpc,
}
# Seconds that a part may take, the first installation of its packages too.
LIMIT = 400


def expire(*_: object) -> None:
    raise TimeoutError(f"it took longer than {LIMIT} s")


def leave(number: int, _: object) -> None:
    sys.exit(128 + number)


def look(name: str, build: pathlib.Path, report: Report) -> None:
    """One part, in a folder of its own; prints its line."""
    began = time.monotonic()
    passed, failed = report.passed, report.failed
    with tempfile.TemporaryDirectory(prefix="real-parts-") as folder:
        servers = Servers(pathlib.Path(folder), build)
        signal.alarm(LIMIT)
        try:
            PARTS[name](servers, report)
        except Missing as missing:
            report.leave_out(name, missing)
            if (passed, failed) == (report.passed, report.failed):
                return
        except (OSError, ValueError, LookupError, subprocess.SubprocessError) as problem:
            report.check(name, "it came to its end", f"{type(problem).__name__}: {problem}")
        finally:
            signal.alarm(0)
            servers.end()
    passed, failed = report.passed - passed, report.failed - failed
    say(
        f"{'FAIL' if failed else 'ok  '} {name}: {passed} of {passed + failed} checks"
        f" in {time.monotonic() - began:.0f} s"
    )


def main() -> None:
    words = sys.argv[1:]
    report = Report(shows_all="-v" in words)
    wanted = [word for word in words if word != "-v"] or list(PARTS)
    for name in wanted:
        if name not in PARTS:
            sys.exit(f'script/real-parts: "{name}" is not understood; write {", ".join(PARTS)}')
    if shutil.which("curl") is None:
        sys.exit("script/real-parts: curl is not on this machine")
    if not pathlib.Path(NETDASH).exists():
        sys.exit(f"script/real-parts: {NETDASH} is not there; build it with swift build")
    build = pathlib.Path(".build/real-parts").absolute()
    build.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGALRM, expire)
    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGHUP, leave)
    for name in wanted:
        look(name, build, report)
    say(f"{report.passed} passed, {report.failed} failed, {len(report.left_out)} skipped")
    # A run that could look at nothing shows nothing.
    sys.exit(1 if report.failed or not report.passed else 0)


if __name__ == "__main__":
    main()
