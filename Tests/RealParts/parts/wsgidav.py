"""WsgiDAV on cheroot: uploads, folders and passwords of a WebDAV server."""

import os

from looking import Report, netdash, other_bytes
from servers import Servers, free_port

QUIET = ["--quiet", "--ephemeral", "--retries", "2"]


def begin(servers: Servers, name: str, authentication: str) -> int:
    servers.install("wsgidav", "wsgidav", "cheroot")
    port = free_port()
    root = servers.folder / name
    root.mkdir(exist_ok=True)
    settings = servers.folder / f"{name}.yaml"
    settings.write_text(
        f"host: 127.0.0.1\nport: {port}\nprovider_mapping:\n  /: {root}\n"
        f"http_authenticator:\n  accept_basic: {str(authentication == 'basic').lower()}\n"
        f"  accept_digest: {str(authentication == 'digest').lower()}\n"
        f"  default_to_digest: {str(authentication == 'digest').lower()}\n"
        "simple_dc:\n  user_mapping:\n    '*':\n      me:\n        password: secret\n")
    return servers.begin(["wsgidav", "--config", settings, "--server", "cheroot"], port)


def wsgidav(servers: Servers, report: Report) -> None:
    folder = servers.folder
    data = os.urandom(3_000_000)
    (folder / "file.bin").write_bytes(data)
    tree = {"one.bin": os.urandom(70_000), "in/two words.bin": os.urandom(5), "in/deep/\u00e4.bin": b""}
    for path, content in tree.items():
        (folder / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "tree" / path).write_bytes(content)
    for kind in ["basic", "digest"]:
        root = f"http://127.0.0.1:{begin(servers, f'dav-{kind}', kind)}"
        who = ["-u", "me:secret"] + (["--digest"] if kind == "digest" else [])
        result = netdash(["upload", *QUIET, *who, "file.bin", f"{root}/up.bin"], folder)
        report.check("wsgidav", f"PUT with {kind}",
                     result.problem() or other_bytes(folder / f"dav-{kind}" / "up.bin", data))
        result = netdash([*QUIET, *who, "-o", f"back-{kind}", f"{root}/up.bin"], folder)
        report.check("wsgidav", f"GET with {kind}", result.problem() or other_bytes(folder / f"back-{kind}", data))
        result = netdash(["upload", *QUIET, *who, "tree/", f"{root}/"], folder)
        problems = [other_bytes(folder / f"dav-{kind}" / "tree" / path, content) for path, content in tree.items()]
        report.check("wsgidav", f"a folder with {kind}", result.problem() or next(filter(None, problems), None))
        result = netdash([*QUIET, "-u", "me:wrong", "-o", "none", f"{root}/up.bin"], folder)
        report.check("wsgidav", f"a wrong password with {kind}", result.problem(1, "401"))
        report.check("wsgidav", f"no file of a wrong password with {kind}",
                     "there is one" if (folder / "none").exists() else None)
