"""Firefox without a window: the cookies that it keeps, and what netdash sends of them."""

import contextlib
import http.server
import pathlib
import shutil
import sqlite3
import tempfile
import threading

from looking import Report, Result, environment, netdash, wait_until
from servers import Missing, Servers

# What a page sets; the first is forgotten with the window, so it is in no file.
COOKIES = [
    "passing=1", "kept=two-words; Max-Age=3600", "deep=d; Max-Age=3600; Path=/deep", "hidden=h; Max-Age=3600; HttpOnly",
    "closed=c; Max-Age=3600; Secure", "strict=s; Max-Age=3600; SameSite=Strict", "quoted=\"a b\"; Max-Age=3600",
    "equal=a=b==; Max-Age=3600", "everywhere=e; Max-Age=3600; SameSite=None; Secure", "old=o; Max-Age=3600",
]
# One is taken back by a later page, and one is of a server within a page of another.
LATER = "old=; Max-Age=0"
FOREIGN = "foreign=f; Max-Age=3600; SameSite=None; Secure"
KEPT = {"kept", "deep", "hidden", "closed", "strict", "quoted", "equal", "everywhere"}


class Site:
    """A server that sets cookies, and keeps what was sent to it."""

    def __init__(self) -> None:
        self.sent: dict[str, str] = {}
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host = (self.headers.get("Host") or "").split(":")[0]
                site.sent[f"{host}{self.path}"] = self.headers.get("Cookie", "")
                self.send_response(200)
                for cookie in {"/set": COOKIES, "/later": [LATER], "/foreign": [FOREIGN]}.get(self.path, []):
                    self.send_header("Set-Cookie", cookie)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                if self.path == "/set":
                    # Each is asked for after the one before it.
                    self.wfile.write(
                        f"<img src=/later onerror=\"this.onerror=null; for (const a of ['/deep/seen', '/seen', "
                        f"'http://127.0.0.1:{site.port}/foreign']) new Image().src = a\">".encode())

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def cookies(self, place: str) -> list[str]:
        """What came with the request of a place, without what a file cannot have."""
        pairs = [pair for pair in self.sent[place].split("; ") if pair]
        return [pair for pair in pairs if not pair.startswith("passing=")]


def stored(profile: pathlib.Path) -> dict[tuple[str, str], str]:
    """Names and hosts of the cookies in a profile, with what they are bound to; from a copy, as it is locked."""
    with tempfile.TemporaryDirectory(prefix="real-parts-") as folder:
        for path in profile.glob("cookies.sqlite*"):
            shutil.copy(path, folder)
        try:
            with contextlib.closing(sqlite3.connect(f"{folder}/cookies.sqlite")) as copy:
                rows = copy.execute("SELECT name, host, originAttributes FROM moz_cookies")
                return {(name, host): bound for name, host, bound in rows}
        except sqlite3.Error:
            return {}


def is_written(profile: pathlib.Path) -> bool:
    """Whether everything that the pages have said is in the file."""
    names = {name for name, _ in stored(profile)}
    return KEPT <= names and "old" not in names


def profiles(home: pathlib.Path) -> list[pathlib.Path]:
    return [path.parent for path in home.rglob("cookies.sqlite")]


def firefox(servers: Servers, report: Report) -> None:
    site = Site()
    try:
        look(servers, report, site)
    finally:
        site.end()


def look(servers: Servers, report: Report, site: Site) -> None:
    folder = servers.folder
    url = f"http://localhost:{site.port}"
    found = environment(folder, {"TMPDIR": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"})
    program = next((name for name in ["firefox-esr", "firefox"] if servers.has(name)), "firefox-esr")
    browser = servers.start([program, "--headless", f"{url}/set"], found)
    if (
        not wait_until(lambda: "127.0.0.1/foreign" in site.sent or browser.poll() is not None, 60)
        or browser.poll() is not None
    ):
        raise Missing(f"{program} opens no page: {servers.last_line(program)}")
    home = folder / "home"
    there = wait_until(lambda: any(map(is_written, profiles(home))) or browser.poll() is not None, 60)
    if not there:
        raise Missing(f"{program} keeps no cookies: {servers.last_line(program)}")
    profile = next(path for path in profiles(home) if stored(path))
    has_foreign = wait_until(lambda: ("foreign", "127.0.0.1") in stored(profile), 20)
    sends(folder, report, site, profile, "while it runs")
    browser.terminate()
    browser.wait(20)
    before = {path.name: path.read_bytes() for path in profile.glob("cookies.sqlite*")}
    sends(folder, report, site, profile, "after its end")
    after = {path.name: path.read_bytes() for path in profile.glob("cookies.sqlite*")}
    report.check(
        "firefox", "its files stay as they are", None if before == after else f"{list(before)} and {list(after)}"
    )
    named(folder, report, site, profile)
    others(folder, report, site, profile)
    expired(folder, report, site, folder / "earlier" / ".mozilla" / "firefox" / profile.name)
    if not has_foreign:
        report.say("firefox", "it has not kept the cookie of a foreign page, so that was not looked at")


def ask(folder: pathlib.Path, browser: str, url: str, more: dict[str, str] | None = None) -> Result:
    return netdash(["request", "--ephemeral", "--retries", "0", "--cookies-from", browser, url], folder, more)


def sends(folder: pathlib.Path, report: Report, site: Site, profile: pathlib.Path, when: str) -> None:
    """netdash sends what the browser itself has sent."""
    for own, path in [("localhost/seen", "/page"), ("localhost/deep/seen", "/deep/page")]:
        result = ask(folder, f"firefox:{profile}", f"http://localhost:{site.port}{path}")
        wanted, found = site.cookies(own), site.cookies(f"localhost{path}") if result.code == 0 else []
        problem = result.problem() or (
            None if wanted and sorted(found) == sorted(wanted) else f"{found} instead of {wanted}"
        )
        report.check("firefox", f"its cookies for {path} {when}", problem)
        values = [pair.split("=", 1)[1] for pair in wanted if len(pair.split("=", 1)[1]) > 3]
        told = [value for value in values if value in result.messages]
        report.check(
            "firefox",
            f"no value is told, {path} {when}",
            None if values and not told else f"{told} in {result.messages}",
        )


def named(folder: pathlib.Path, report: Report, site: Site, profile: pathlib.Path) -> None:
    """The profile is found without its path: where the browser has laid it, and where earlier versions lay it."""
    earlier = folder / "earlier" / ".mozilla" / "firefox"
    shutil.copytree(profile.parent, earlier, symlinks=True)
    for home, where in [
        (folder / "home", profile.parent.relative_to(folder / "home")),
        (folder / "earlier", ".mozilla/firefox"),
    ]:
        for browser, said in [("firefox", "firefox"), (f"firefox:{profile.name}", "firefox:FOLDER"),
                              (f"firefox:{profile.name.split('.', 1)[1]}", "firefox:NAME")]:
            site.sent.pop("localhost/found", None)
            result = ask(folder, browser, f"http://localhost:{site.port}/found", more={"HOME": str(home)})
            right = not result.code and sorted(site.cookies("localhost/found")) == sorted(
                site.cookies("localhost/seen")
            )
            problem = result.problem() or (None if right else f"{site.sent.get('localhost/found')}")
            report.check("firefox", f"--cookies-from {said}, a profile in ~/{where}", problem)


def others(folder: pathlib.Path, report: Report, site: Site, profile: pathlib.Path) -> None:
    result = ask(folder, f"firefox:{profile}", f"http://127.0.0.1:{site.port}/other")
    problem = result.problem() or (
        None if site.sent["127.0.0.1/other"] == "" else f"{site.sent['127.0.0.1/other']!r} was sent"
    )
    report.check("firefox", "nothing for another host, nor what is bound to another page", problem)
    report.check(
        "firefox",
        "no such profile",
        ask(folder, "firefox:absent", f"http://localhost:{site.port}/none").problem(2, "no profile"),
    )


def expired(folder: pathlib.Path, report: Report, site: Site, copy: pathlib.Path) -> None:
    """One of the cookies in a copy has expired an hour ago; this version may count in milliseconds."""
    with contextlib.closing(sqlite3.connect(copy / "cookies.sqlite")) as database:
        database.execute(
            "UPDATE moz_cookies SET expiry = expiry - 7200 * iif(expiry > 100000000000, 1000, 1) WHERE name = 'kept'"
        )
        database.commit()
    result = ask(folder, f"firefox:{copy}", f"http://localhost:{site.port}/expired")
    wanted = [pair for pair in site.cookies("localhost/seen") if not pair.startswith("kept=")]
    found = site.cookies("localhost/expired") if result.code == 0 else []
    problem = result.problem() or (None if sorted(found) == sorted(wanted) else f"{found} instead of {wanted}")
    report.check("firefox", "nothing that has expired", problem)
