"""Stores that speak S3: moto, and OpenStack Swift with its s3api, which verifies each signature."""

import getpass
import json
import os
import pathlib
import re
import urllib.parse

from looking import NETDASH, Report, environment, knows, netdash, other_bytes, partial, wait_until
from servers import Missing, Servers, free_port, listens

SCOPE = ["--aws-sigv4", "aws:amz:us-east-1:s3"]
SIGN = [*SCOPE, "-u", "key:secret"]
QUIET = ["--quiet", "--ephemeral", "--retries", "0"]


def moto(servers: Servers, report: Report) -> None:
    servers.install("moto", "moto[s3,server]")
    port = free_port()
    servers.begin(["moto_server", "-H", "127.0.0.1", "-p", port], port)
    single("moto", f"http://127.0.0.1:{port}/bucket", servers, report)
    in_parts("moto", f"http://127.0.0.1:{port}/bucket", servers, report)


def swift(servers: Servers, report: Report) -> None:
    base = f"http://127.0.0.1:{begin_swift(servers)}/bucket"
    single("swift", base, servers, report)
    folder = servers.folder
    result = netdash(["upload", *QUIET, *SCOPE, "-u", "key:wrong", "object", f"{base}/stolen"], folder)
    report.check("swift", "a wrong key", result.problem(1, "403"))
    report.check(
        "swift",
        "nothing is there after it",
        netdash([*QUIET, *SIGN, "-o", "stolen", f"{base}/stolen"], folder).problem(1, "404"),
    )
    result = netdash([*QUIET, "-o", "unsigned", f"{base}/object"], folder)
    report.check(
        "swift", "no signature", "it was let in" if result.code == 0 or (folder / "unsigned").exists() else None
    )
    in_parts("swift", base, servers, report)


def single(name: str, base: str, servers: Servers, report: Report) -> None:
    """What needs no parts: a bucket, objects of several names, a list, a deletion, a download that is killed."""
    folder = servers.folder
    report.check(name, "a bucket", netdash(["request", "-X", "PUT", *QUIET, *SIGN, base], folder).problem())
    for key, path, data in [("object", "object", os.urandom(1_280_000)), ("nothing", "empty", b""),
                            ("a name with signs", "a b+c/\u00e4=&;,~", os.urandom(70_000))]:
        (folder / "sent").write_bytes(data)
        url = f"{base}/{urllib.parse.quote(path)}"
        report.check(name, f"an upload: {key}", netdash(["upload", *QUIET, *SIGN, "sent", url], folder).problem())
        result = netdash([*QUIET, *SIGN, "--if-exists", "overwrite", "-o", "back", url], folder)
        report.check(name, f"its download: {key}", result.problem() or other_bytes(folder / "back", data))
    (folder / "sent").rename(folder / "object")
    result = netdash(["request", *QUIET, *SIGN, f"{base}?list-type=2&prefix=a%20b"], folder)
    keys = re.findall("<Key>(.*?)</Key>", result.output.decode(errors="replace"))
    report.check(name, "a list", result.problem() or (None if keys == ["a b+c/\u00e4=&amp;;,~"] else f"{keys}"))
    report.check(
        name, "a deletion", netdash(["request", "-X", "DELETE", *QUIET, *SIGN, f"{base}/empty"], folder).problem()
    )
    report.check(
        name,
        "nothing is there after it",
        netdash([*QUIET, *SIGN, "-o", "gone", f"{base}/empty"], folder).problem(1, "404"),
    )
    killed_download(name, base, servers, report)


def killed_download(name: str, base: str, servers: Servers, report: Report) -> None:
    folder = servers.folder
    data = os.urandom(6 << 20)
    (folder / "long").write_bytes(data)
    result = netdash(["upload", *QUIET, *SIGN, "long", f"{base}/long"], folder)
    report.check(name, "a longer upload", result.problem())
    words = [*QUIET, *SIGN, "-o", "long-back", f"{base}/long"]
    program = servers.start([NETDASH, "--limit-rate", "2M", *words], environment(folder))
    arrived = wait_until(lambda: partial(folder, "long-back") > 1 << 20)
    program.kill()
    program.wait()
    report.check(
        name,
        "a download is killed in its middle",
        None if arrived and not (folder / "long-back").exists() else "it was not",
    )
    result = netdash(["--json", *words[1:]], folder)
    report.check(name, "it continues", result.problem() or other_bytes(folder / "long-back", data))
    events = [json.loads(line) for line in result.output.splitlines()]
    statuses = {event["status"] for event in events if event["event"] == "response"}
    report.check(name, "only the rest is asked for", None if statuses == {206} else f"{statuses}")


def in_parts(name: str, base: str, servers: Servers, report: Report) -> None:
    """A large file in parts: killed in its middle, continued, and compared with what the store gives back."""
    if not knows("--part-size"):
        report.say(name, "parts of uploads are left out, netdash has no --part-size")
        return
    folder = servers.folder
    data = os.urandom(23 << 20)
    (folder / "large").write_bytes(data)
    words = ["upload", *SIGN, "--resumable", "s3", "--part-size", "5M"]
    result = netdash([*words, *QUIET, "large", f"{base}/parts"], folder)
    report.check(name, "an upload in parts", result.problem())
    # A secret of a command line is not saved; the next run is told it again through the same variable.
    keys = {"NETDASH_KEYS": "key:secret"}
    words = ["upload", *SCOPE, "-u", "@env:NETDASH_KEYS", "--resumable", "s3", "--part-size", "5M"]
    session = ["--plain", "--session", "parts"]
    program = servers.start(
        [NETDASH, *words, *session, "--limit-upload", "4M", "large", f"{base}/killed"], environment(folder, keys))
    arrived = wait_until(lambda: parts_of(base, folder) >= 2, 60)
    program.kill()
    program.wait()
    report.check(name, "parts are at the store when it is killed", None if arrived else servers.last_line(NETDASH))
    kept = parts_of(base, folder)
    result = netdash([*session], folder, keys)
    report.check(name, "it continues after kill -9", result.problem())
    report.check(name, "it was killed between the first part and the last", None if 2 <= kept <= 4 else f"{kept} parts")
    for key in ["parts", "killed"]:
        result = netdash([*QUIET, *SIGN, "-o", f"back-{key}", f"{base}/{key}"], folder)
        report.check(name, f"the object {key}", result.problem() or other_bytes(folder / f"back-{key}", data))
    left = uploads(base, folder)
    report.check(name, "no upload is left", None if not left else f"{left}")


def uploads(base: str, folder: pathlib.Path) -> list[tuple[str, str]]:
    """Keys and ids of the uploads that have begun and not ended."""
    listed = netdash(["request", *QUIET, *SIGN, f"{base}?uploads="], folder).output.decode(errors="replace")
    each = [
        re.findall("<(Key|UploadId)>(.*?)</", text) for text in re.findall("<Upload>(.*?)</Upload>", listed, re.DOTALL)
    ]
    return [(fields["Key"], fields["UploadId"]) for fields in map(dict, each)]


def parts_of(base: str, folder: pathlib.Path) -> int:
    """How many parts of unfinished uploads a store has."""
    return sum(
        netdash(["request", *QUIET, *SIGN, f"{base}/{key}?uploadId={urllib.parse.quote(number)}"], folder).output.count(
            b"<PartNumber>"
        )
        for key, number in uploads(base, folder)
    )


def begin_swift(servers: Servers) -> int:
    """Swift's four servers on one disk, which is a folder, with one copy of everything."""
    servers.install("swift", "swift")
    folder = servers.folder
    disk = folder / "disks" / "d1"
    disk.mkdir(parents=True)
    try:
        os.setxattr(disk, "user.test", b"1")
    except OSError as problem:
        raise Missing(f"the file system of {folder} has no attributes of users") from problem
    (folder / "swift.conf").write_text(
        "[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = only\ndefault = yes\n")
    found = environment(
        folder, {"SWIFT_CONF_FILE": f"{folder}/swift.conf", "PYTHONPATH": str(pathlib.Path(__file__).parent)}
    )
    ports = {kind: free_port() for kind in ["account", "container", "object"]}
    for kind, port in ports.items():
        ring = ["swift-ring-builder", folder / f"{kind}.builder"]
        for words in [["create", "2", "1", "1"], ["add", f"r1z1-127.0.0.1:{port}/d1", "1"], ["rebalance"]]:
            servers.finish([*ring, *words], found)
        (folder / f"{kind}.conf").write_text(settings(
            folder, port, f"devices = {folder}/disks\nmount_check = false\n", [f"{kind}-server"])
            + f"[app:{kind}-server]\nuse = egg:swift#{kind}\n")
    port = free_port()
    (folder / "proxy.conf").write_text(
        settings(folder, port, "", ["catch_errors", "cache", "s3api", "keys", "slo", "proxy-server"])
        + "[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n"
        + "".join(f"[filter:{name}]\nuse = egg:swift#{name}\n" for name in ["catch_errors", "s3api", "slo"])
        # Nothing keeps what it could keep, so each answer is that of the disk.
        + f"[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:{free_port()}\n"
        "[filter:keys]\npaste.filter_factory = swift_keys:factory\nuser_test_tester = secret .admin\n")
    for kind in [*ports, "proxy"]:
        servers.start([f"swift-{kind}-server", folder / f"{kind}.conf", "-v"], found)
    if not wait_until(lambda: all(map(listens, [*ports.values(), port]))):
        raise Missing(f"it does not listen: {servers.last_line('swift-proxy-server')}")
    return port


def settings(folder: pathlib.Path, port: int, more: str, pipeline: list[str]) -> str:
    return (f"[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = {port}\nworkers = 0\nuser = {getpass.getuser()}\n"
            f"swift_dir = {folder}\n{more}[pipeline:main]\npipeline = {' '.join(pipeline)}\n")
