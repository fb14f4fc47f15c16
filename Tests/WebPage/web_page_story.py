"""Lets a person's steps in webui-aria2 be done by Chromium: add, look at the gauge, pause, resume, change a limit, remove.

After each step the page and `netdash status --json` have to agree. Once over a WebSocket, once over HTTP requests. At the
end a page of another site tries to add downloads.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import typing

import hostile_page
import slow_server
from browser import Browser, Missing

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "RealParts"))
from looking import NETDASH, Report, environment, say  # noqa: E402

SECRET = "secret-of-the-web-page"
# Seconds that a step may take: the page asks once a second.
PATIENCE = 40
LIMIT = 64 << 10

ROW = ".download[data-gid]"
BAR = ROW + " .download-progress .progress-bar"


class Service:
    """A service with aria2's interface for one page."""

    def __init__(self, folder: pathlib.Path, *words: str) -> None:
        self.environment = environment(folder)
        (folder / "token").write_text(SECRET + "\n")
        self.process = subprocess.Popen(
            [NETDASH, "serve", "--session", "page", "--dir", str(folder / "got"), "--rpc", "127.0.0.1:0", *words],
            env=self.environment, stderr=subprocess.PIPE, text=True)
        self.address = ""
        for line in self.process.stderr or []:
            if line.startswith("aria2 RPC at "):
                self.address = line.split()[-1]
                break
        if not self.address:
            raise LookupError("the service does not listen")

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)

    def rows(self) -> list[dict[str, typing.Any]]:
        run = subprocess.run(
            [NETDASH, "status", "--session", "page", "--json"], env=self.environment, capture_output=True, text=True,
            timeout=30, check=True)
        return json.loads(run.stdout)["rows"]

    def state(self) -> str:
        rows = self.rows()
        return rows[0]["state"] if rows else "none"


def wait_for(fact: typing.Callable[[], bool]) -> str | None:
    """What is wrong when a fact has not come true in time."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            if fact():
                return None
        except LookupError:
            # The page is drawing the row again.
            pass
        time.sleep(0.2)
    return f"not within {PATIENCE} s"


class Story:
    """The steps, each with a check of the page and of the service."""

    def __init__(self, name: str, browser: Browser, service: Service, report: Report) -> None:
        self.name, self.browser, self.service, self.report = name, browser, service, report

    def step(self, name: str, on_page: typing.Callable[[], bool], in_service: typing.Callable[[], bool]) -> None:
        for place, fact in [("on the page", on_page), ("in the service", in_service)]:
            problem = wait_for(fact)
            if problem is not None:
                seen = self.browser.evaluate("document.body.innerText")
                problem += f"; the page: {seen[:300]!r}; it said: {self.browser.messages()[-5:]}; the service: {self.service.rows()}"
            self.report.check(self.name, f"{name}, {place}", problem)

    def fill(self) -> None:
        """Waits until the gauge is long enough for a picture."""
        self.report.check(self.name, "the gauge fills", wait_for(lambda: self.width() > 8))

    def width(self) -> float:
        """The gauge, in percent."""
        style = self.browser.evaluate("document.querySelector(arguments[0]).style.width", BAR)
        return float(style.rstrip("%") or 0)

    def speed(self) -> float:
        """The speed that the page shows, in bytes."""
        number, unit = self.browser.text(f"{ROW} [title='Download Speed']").split()[-2:]
        return float(number) * {"B/s": 1, "KB/s": 1 << 10, "MB/s": 1 << 20}[unit]

    def is_shown(self, state: str) -> bool:
        return self.browser.evaluate("document.querySelector(arguments[0]).innerText", ROW).find(state) >= 0

    def change_limit(self) -> None:
        self.browser.click(f"{ROW} [ng-click='showSettings(download)']")
        problem = wait_for(lambda: self.browser.has(".modal-body .form-group label"))
        if problem is not None:
            raise LookupError("the settings do not open: " + problem)
        mark = self.browser.evaluate("""(() => {
            const group = [...document.querySelectorAll('.modal-body .form-group')]
                .find(group => group.querySelector('label')?.innerText.trim() === 'max-download-limit');
            group.querySelector("input[type='text']").id = 'limit-of-the-story';
            return true;
        })()""")
        if mark:
            self.browser.write("#limit-of-the-story", "64K")
        self.browser.click(".modal-footer .btn-primary")

    def run(self, url: str, picture: pathlib.Path | None) -> None:
        browser, service = self.browser, self.service
        self.step("it connects", lambda: "stopped: 0" in browser.evaluate("document.title"), lambda: not service.rows())
        # It is in a menu, which may be closed.
        browser.evaluate("document.querySelector(arguments[0]).click()", "[ng-click='addUris()']")
        problem = wait_for(lambda: browser.has("textarea[ng-model='getUris.uris']"))
        self.report.check(self.name, "the form opens", problem)
        browser.write("textarea[ng-model='getUris.uris']", url)
        browser.click(".modal-content .btn-primary")
        self.step("add", lambda: self.is_shown("Active"), lambda: service.state() == "running")

        first = [self.width(), service.rows()[0]["bytes"]]
        self.step("the gauge moves", lambda: self.width() > first[0], lambda: service.rows()[0]["bytes"] > first[1])
        self.step("its speed is told", lambda: self.speed() > LIMIT, lambda: service.state() == "running")
        if picture is not None:
            self.fill()
            picture.write_bytes(browser.picture())
            say(f"     {picture}: {picture.stat().st_size} bytes")

        browser.click(f"{ROW} [ng-click='pause(download)']")
        self.step("pause", lambda: self.is_shown("Paused"), lambda: service.state() == "paused")
        stands = self.width()
        browser.click(f"{ROW} [ng-click='resume(download)']")
        self.step("resume", lambda: self.is_shown("Active"), lambda: service.state() == "running")
        self.step("the gauge goes on where it stood", lambda: self.width() > stands, lambda: service.rows()[0]["bytes"] > first[1])

        before = len(service.rows())
        self.change_limit()
        self.step(
            "change a limit", lambda: 0 < self.speed() <= LIMIT * 1.5,
            lambda: service.state() == "running" and len(service.rows()) == before)

        # The page asks, and gets a yes at once.
        browser.evaluate("window.confirm = () => true")
        browser.click(f"{ROW} [ng-click='remove(download)']")
        self.step("remove", lambda: self.is_shown("Removed"), lambda: service.state() == "cancelled")
        browser.click(f"{ROW} [ng-click='remove(download)']")
        self.step("remove from the list", lambda: not browser.has(ROW), lambda: service.state() == "none")


def look(page: pathlib.Path, has_sockets: bool, picture: pathlib.Path | None, report: Report) -> None:
    name = "WebSocket" if has_sockets else "HTTP"
    files, pages = slow_server.serve(slow_server.SlowFile), slow_server.serve(slow_server.Page, str(page))
    origin = f"http://127.0.0.1:{pages.server_address[1]}"
    with tempfile.TemporaryDirectory(prefix="web-page-", ignore_cleanup_errors=True) as text:
        folder = pathlib.Path(text)
        browser = Browser(folder, has_sockets)
        try:
            service = Service(folder, "--rpc-secret", f"@file:{folder / 'token'}", f"--rpc-allow-origin={origin}")
            try:
                host, port = service.address.rsplit(":", 1)
                browser.open(f"{origin}/?host={host}&port={port}&token={SECRET}")
                story = Story(name, browser, service, report)
                story.run(f"http://127.0.0.1:{files.server_address[1]}/slow.iso", picture)
                problem = None if browser.evaluate("typeof WebSocket") == ("function" if has_sockets else "undefined") else "no"
                report.check(name, "the page could use no other way", problem)
            finally:
                service.end()
        except (OSError, ValueError, LookupError, subprocess.SubprocessError) as problem:
            report.check(name, "it came to its end", f"{type(problem).__name__}: {problem}")
        finally:
            browser.end()
            files.shutdown()
            pages.shutdown()


def refuse(report: Report) -> None:
    """A page of another site tries to add downloads: none is there. A page that is allowed adds them."""
    name = "hostile"
    pages = hostile_page.serve()
    port = pages.server_address[1]
    page = f"http://127.0.0.1:{port}"
    rebound = f"http://{hostile_page.OTHER_NAME}:{port}"
    with tempfile.TemporaryDirectory(prefix="web-page-", ignore_cleanup_errors=True) as text:
        folder = pathlib.Path(text)
        browser = Browser(folder, words=(f"--host-resolver-rules=MAP {hostile_page.OTHER_NAME} 127.0.0.1",))
        try:
            for words, expected in [((), False), ((f"--rpc-allow-origin={page}",), True)]:
                service = Service(folder, *words)
                try:
                    report.check(name, "every way is tried", hostile_page.try_all(browser, page, service.address, wait_for))
                    found = hostile_page.names(service.rows())
                    right = {"cors", "json", "simple", "beacon", "socket"} <= found if expected else not found
                    report.check(name, "an allowed page adds" if expected else "another site's page adds nothing",
                                 None if right else f"added: {sorted(found)}")
                    # The same page under another name of this machine, and that name's own address.
                    other = service.address.replace("127.0.0.1", hostile_page.OTHER_NAME)
                    before = len(service.rows())
                    problem = hostile_page.try_all(browser, rebound, other, wait_for)
                    added = len(service.rows()) - before
                    report.check(name, "another name of this machine adds nothing", problem or (f"{added} added" if added else None))
                finally:
                    service.end()
        except (OSError, ValueError, LookupError, subprocess.SubprocessError) as problem:
            report.check(name, "it came to its end", f"{type(problem).__name__}: {problem}")
        finally:
            browser.end()
            pages.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/web-page-story")
    parser.add_argument("page", nargs="?", default=os.environ.get("WEBUI_ARIA2", ".build/webui-aria2/docs"),
                        help="folder with the built page of webui-aria2 (.build/webui-aria2/docs)")
    parser.add_argument("--picture", type=pathlib.Path, help="write a picture of the page to this file (PNG)")
    parser.add_argument("-v", action="store_true", help="print each check")
    words = parser.parse_args()
    report = Report(shows_all=words.v)
    page = pathlib.Path(words.page)
    if not pathlib.Path(NETDASH).exists():
        sys.exit(f"script/web-page-story: {NETDASH} is not there; build it with swift build")
    for has_sockets in [True, False]:
        name = "WebSocket" if has_sockets else "HTTP"
        try:
            if not (page / "index.html").exists():
                raise Missing(f"{page}/index.html is not there; see the beginning of script/web-page-story")
            look(page, has_sockets, words.picture if has_sockets else None, report)
        except Missing as missing:
            report.leave_out(name, missing)
    try:
        refuse(report)
    except Missing as missing:
        report.leave_out("hostile", missing)
    say(f"{report.passed} passed, {report.failed} failed, {len(report.left_out)} skipped")
    sys.exit(1 if report.failed else 0)


main()
