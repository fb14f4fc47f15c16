"""apache: files that are continued, coded and looked after by WebDAV, and passwords."""

import hashlib
import os
import pathlib
import random
import time

from looking import NETDASH, Report, environment, netdash, other_bytes, partial, wait_until
from servers import Missing, Servers, free_port

MODULES = pathlib.Path("/usr/lib/apache2/modules")
QUIET = ["--quiet", "--ephemeral", "--retries", "0"]


def begin(servers: Servers, modules: list[str], text: str, more: dict[str, str] | None = None) -> int:
    """apache with these modules and settings; its folder of files is `site`."""
    for name in modules:
        if not (MODULES / f"mod_{name}.so").exists():
            raise Missing(f"mod_{name} of apache is not on this machine")
    port = free_port()
    folder = servers.folder
    # Its workers are of another user where it is begun by root.
    folder.chmod(0o755)
    (folder / "site").mkdir(exist_ok=True)
    (folder / "site").chmod(0o777)
    path = folder / "apache.conf"
    who = "User www-data\nGroup www-data\n" if os.geteuid() == 0 else ""
    path.write_text(
        "".join(
            f"LoadModule {name}_module {MODULES}/mod_{name}.so\n"
            for name in ["mpm_event", "authn_core", "authz_core", *modules]
        )
        + f"ServerName localhost\nListen 127.0.0.1:{port}\nPidFile {folder}/apache.pid\n"
        f"ErrorLog {folder}/apache-error.log\n"
        f"LogFormat \"%m %>s %{{User-Agent}}i %U\" told\nDefaultRuntimeDir {folder}\n"
        f"{who}DocumentRoot {folder}/site\n{text}"
    )
    return servers.begin(["apache2", "-X", "-f", path], port, environment(folder, more))


def apache(servers: Servers, report: Report) -> None:
    folder = servers.folder
    realm = "closed"
    (folder / "digests").write_text(f"me:{realm}:" + hashlib.md5(f"me:{realm}:secret".encode()).hexdigest() + "\n")
    (folder / "locks").mkdir()
    (folder / "locks").chmod(0o777)
    port = begin(
        servers,
        ["dav", "dav_fs", "deflate", "filter", "mime", "auth_digest", "authn_file", "authz_user"],
        f"CustomLog {folder}/apache-answers.log told\nTypesConfig /dev/null\nAddType text/plain .txt\n"
        f"DavLockDB {folder}/locks/lock\n"
        f"<Directory {folder}/site>\nAddOutputFilterByType DEFLATE text/plain\nDav On\n</Directory>\n"
        f"<Location /closed>\nAuthType Digest\nAuthName {realm}\n"
        f"AuthDigestProvider file\nAuthUserFile {folder}/digests\n"
        "Require valid-user\n</Location>\n",
    )
    root = f"http://127.0.0.1:{port}"
    coded(report, folder, root)
    continued(servers, report, root)
    dav(report, folder, root)
    code, _, messages = netdash([*QUIET, "-o", "missing", f"{root}/missing"], folder)
    report.check("apache", "no such file", None if code == 1 and "404" in messages else f"{code}: {messages}")


def answers(folder: pathlib.Path) -> list[list[str]]:
    """What was asked and answered: method, status, the program that asked, path."""
    return [line.split() for line in (folder / "apache-answers.log").read_text().splitlines()]


def statuses(folder: pathlib.Path, path: str, agent: str = "netdash") -> list[str]:
    """How a program was answered for a path. apache tells of an answer at its end, which is after the program's."""

    def found() -> list[str]:
        return [words[1] for words in answers(folder) if words[2].startswith(agent) and words[3] == path]

    wait_until(found, 10)
    return found()


def coded(report: Report, folder: pathlib.Path, root: str) -> None:
    text = "".join(random.choices("words and lines\n", k=400_000)).encode()
    (folder / "site" / "text.txt").write_bytes(text)
    result = netdash([*QUIET, f"{root}/text.txt"], folder)
    report.check("apache", "a text that it would code", result.problem() or other_bytes(folder / "text.txt", text))
    result = netdash(["request", *QUIET, f"{root}/text.txt"], folder)
    report.check("apache", "the text as the body of a request",
                 result.problem() or (None if result.output == text else f"{len(result.output)} other bytes"))
    result = netdash([*QUIET, "--if-exists", "refresh", "-A", "refreshing", f"{root}/text.txt"], folder)
    told = statuses(folder, "/text.txt", "refreshing")
    report.check("apache", "the file is the newest", result.problem() or (None if told == ["304"] else f"{told}"))


def lay(path: pathlib.Path, data: bytes, age: int) -> None:
    """A file of some age: of one that changed just now apache gives a weak tag, by which nothing is continued."""
    path.write_bytes(data)
    moment = time.time() - age
    os.utime(path, (moment, moment))


def continued(servers: Servers, report: Report, root: str) -> None:
    """A download that is killed and goes on; and one whose file is another when it goes on."""
    folder = servers.folder
    for name, is_changed, words in [
        ("one", False, ["-x", "1"]),
        ("four", False, ["-x", "4"]),
        ("other", True, ["-x", "1"]),
    ]:
        data = os.urandom(12 << 20)
        path = folder / "site" / f"{name}.bin"
        lay(path, data, age=7200)
        words = [*QUIET, *words, f"{root}/{name}.bin"]
        program = servers.start([NETDASH, "--limit-rate", "6M", *words], environment(folder))
        arrived = wait_until(lambda: partial(folder, name) > 3 << 20)
        program.kill()
        program.wait()
        report.check("apache", f"{name}: it is killed in its middle",
                     None if arrived and not (folder / f"{name}.bin").exists() else "it was not")
        if is_changed:
            data = os.urandom(12 << 20)
            lay(path, data, age=3600)
        result = netdash(["-A", "continuing", *words], folder)
        report.check("apache", f"{name}: it goes on", result.problem() or other_bytes(folder / f"{name}.bin", data))
        told = statuses(folder, f"/{name}.bin", "continuing")
        report.check("apache", f"{name}: {'all of it' if is_changed else 'only the rest'} is asked for",
                     None if told and ("200" in told) == is_changed else f"{told}")


def dav(report: Report, folder: pathlib.Path, root: str) -> None:
    tree = {"one.bin": os.urandom(70_000), "in/two words.bin": os.urandom(5), "in/deep/\u00e4.bin": b""}
    for path, content in tree.items():
        (folder / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tree" / path).write_bytes(content)
    result = netdash(["upload", *QUIET, "tree/", f"{root}/"], folder)
    problems = [other_bytes(folder / "site" / "tree" / path, content) for path, content in tree.items()]
    report.check("apache", "a folder of files", result.problem() or next(filter(None, problems), None))
    (folder / "site" / "closed").mkdir()
    (folder / "site" / "closed").chmod(0o777)
    data = os.urandom(300_000)
    (folder / "closed.bin").write_bytes(data)
    for who, lets in [("me:wrong", False), ("me:secret", True)]:
        words = ["upload", *QUIET, "--digest", "-u", who, "closed.bin", f"{root}/closed/"]
        result = netdash(words, folder)
        there = folder / "site" / "closed" / "closed.bin"
        report.check("apache", f"an upload with {'the right' if lets else 'a wrong'} password",
                     (result.problem() or other_bytes(there, data)) if lets
                     else result.problem(1, "401") or ("it was let in" if there.exists() else None))
