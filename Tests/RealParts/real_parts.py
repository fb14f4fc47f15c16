"""Lets netdash and curl ask the same real servers, and shows where they differ."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from servers import Missing, Servers, environment

NETDASH = os.environ.get("NETDASH", ".build/debug/netdash")
NETDASH_PATH = str(pathlib.Path(NETDASH).absolute())
# What tells one program from another, or one moment from the next.
OWN_FIELDS = {"User-Agent", "Accept", "Accept-Encoding", "X-Request-Id", "Content-Type"}
BODY = "a body of some words\n"

# A name, the path, and the words that both programs take; httpbin says what it was asked.
HTTPBIN: list[tuple[str, str, list[str]]] = (
    [(f"{method.lower()}", f"/{method.lower()}", ["-X", method]) for method in ["GET", "DELETE"]]
    + [(f"{method.lower()} with a body", f"/{method.lower()}", ["-X", method, "-H", "Content-Type: text/plain", "BODY"])
       for method in ["POST", "PUT", "PATCH"]]
    + [(path.strip("/").replace("/", " "), path, []) for path in [
        "/headers", "/ip", "/response-headers?a=1&b=2", "/encoding/utf8", "/html", "/xml", "/json", "/robots.txt", "/deny",
        "/links/5/0", "/range/1024", "/bytes/2048?seed=1", "/stream-bytes/4096?seed=1", "/stream/3", "/delay/1",
        "/drip?numbytes=5&duration=1", "/base64/bmV0ZGFzaA==", "/cache", "/etag/tag", "/cache/60", "/image/png",
        "/anything/a/b?c=d", "/forms/post"]]
    + [(f"status {code}", f"/status/{code}", []) for code in [200, 201, 204, 304, 400, 403, 404, 405, 410, 418, 500, 501]]
    + [("etag that matches", "/etag/tag", ["-H", 'If-None-Match: "tag"']), ("range", "/range/1024", ["-H", "Range: bytes=10-20"])]
    + [(coding, f"/{coding}", ["CODED"]) for coding in ["gzip", "deflate", "brotli"]]
    + [("25 redirects", "/redirect/25", ["REDIRECTS"]), ("redirects to whole URLs", "/absolute-redirect/5", ["REDIRECTS"]),
       ("relative redirects", "/relative-redirect/5", ["REDIRECTS"]),
       ("cookie through a redirect", "/cookies/set?name=value", ["REDIRECTS", "COOKIES"])]
    + [("basic", "/basic-auth/me/secret", ["-u", "me:secret"]), ("basic, wrong", "/basic-auth/me/other", ["-u", "me:secret"]),
       ("hidden basic", "/hidden-basic-auth/me/secret", ["-u", "me:secret"]), ("bearer", "/bearer", ["BEARER"]),
       ("no bearer", "/bearer", [])]
    + [(f"digest {qop} {algorithm}", f"/digest-auth/{qop}/me/secret/{algorithm}", ["-u", "me:secret", "--digest", "COOKIES"])
       for qop in ["auth"] for algorithm in ["MD5", "SHA-256"]]
    + [("digest, wrong", "/digest-auth/auth/me/other/MD5", ["-u", "me:secret", "--digest", "COOKIES"])]
    + [("form", "/post", ["-F", "a=1", "-F", "b=two words"]), ("encoded form", "/post", ["--data-urlencode", "a=b c&d"])])


class Report:
    """What was looked at, and what is not as it should be."""

    def __init__(self) -> None:
        self.count = 0
        self.failures = 0

    def check(self, part: str, name: str, problem: str | None) -> None:
        self.count += 1
        self.failures += problem is not None
        print(f"{'ok  ' if problem is None else 'FAIL'} {part}: {name}" + (f"\n     {problem}" if problem else ""), flush=True)


def run(words: list[str], folder: pathlib.Path, secrets: dict[str, str] | None = None) -> tuple[int, bytes, str]:
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    result = subprocess.run(words, cwd=folder, env=environment | (secrets or {}), capture_output=True, timeout=120)
    return result.returncode, result.stdout, result.stderr.decode(errors="replace")


def netdash(words: list[str], folder: pathlib.Path) -> tuple[int, bytes, str]:
    return run([str(pathlib.Path(NETDASH).absolute()), *words], folder)


def comparable(body: bytes) -> object:
    """A body without what is bound to differ."""
    try:
        value = json.loads(body)
    except ValueError:
        lines = body.splitlines()
        # Several objects, each on a line of its own.
        return [comparable(line) for line in lines] if len(lines) > 1 and body.startswith(b"{") else body
    if isinstance(value, dict):
        if isinstance(value.get("headers"), dict):
            value["headers"] = {k: v for k, v in value["headers"].items() if k not in OWN_FIELDS | {"Content-Length"}}
        for name in ["id", "uuid"]:
            value.pop(name, None)
    return value


def words_for(program: str, words: list[str], folder: pathlib.Path) -> list[str]:
    """The words of a case as a program takes them."""
    curl = program == "curl"
    meanings = {
        "BODY": ["--data-binary", BODY] if curl else ["--body", BODY],
        "CODED": ["--compressed"] if curl else [], "REDIRECTS": ["-L"] if curl else [],
        "BEARER": ["-H", "Authorization: Bearer token"] if curl else ["--bearer", "token"],
        "COOKIES": ["-b", ""] if curl else ["--cookie-jar", str(folder / "jar")],
    }
    return [word for each in words for word in meanings.get(each, [each])]


def compare(url: str, words: list[str], folder: pathlib.Path) -> str | None:
    """What differs between the answers that both programs got; None for nothing."""
    mark = "\n--status--"
    _, answer, _ = run(
        ["curl", "-s", *words_for("curl", words, folder), "-w", mark + "%{http_code}", url], folder)
    body, _, status = answer.rpartition(mark.encode())
    (folder / "jar").unlink(missing_ok=True)
    method = ["-X", words[words.index("-X") + 1]] if "-X" in words else []
    rest = [word for index, word in enumerate(words) if word != "-X" and (index == 0 or words[index - 1] != "-X")]
    code, output, messages = netdash(
        ["request", "--quiet", "--ephemeral", "--retries", "0", "--include", *method, *words_for("netdash", rest, folder),
         url], folder)
    head, _, own = output.partition(b"\r\n\r\n")
    fields = head.decode("latin-1").split()
    if len(fields) < 2:
        return f"no answer from netdash ({code}): {messages.strip() or output[:200]!r}"
    if fields[1] != status.decode():
        return f"status {fields[1]} instead of {status.decode()}"
    if comparable(own) != comparable(body):
        return f"another body: {own[:300]!r} instead of {body[:300]!r}"
    return None


def httpbin(servers: Servers, report: Report) -> None:
    port = servers.httpbin()
    for name, path, words in HTTPBIN:
        report.check("httpbin", name, compare(f"http://127.0.0.1:{port}{path}", words, servers.folder))
    # Forms that curl 7.88 does not know, or answers otherwise.
    for name, path in [("auth-int, nothing sent", "/digest-auth/auth-int/me/secret/MD5"),
                       ("stale number", "/digest-auth/auth/me/secret/MD5/1")]:
        words = ["request", "--quiet", "--ephemeral", "-u", "me:secret", "--digest", "--cookie-jar", str(servers.folder / "jar")]
        (servers.folder / "jar").unlink(missing_ok=True)
        code, output, messages = netdash(words + [f"http://127.0.0.1:{port}{path}"], servers.folder)
        report.check("httpbin", f"digest, {name}", None if code == 0 else f"{code}: {messages} {output[:200]!r}")


def moto(servers: Servers, report: Report) -> None:
    port = servers.moto()
    base = f"http://127.0.0.1:{port}/bucket"
    sign = ["--aws-sigv4", "aws:amz:us-east-1:s3", "-u", "key:secret"]
    (servers.folder / "object").write_bytes(bytes(range(256)) * 5000)
    steps = [
        ("a bucket", ["request", "-X", "PUT", *sign, base]), ("an upload", ["upload", *sign, "object", base + "/object"]),
        ("a list", ["request", *sign, base + "?list-type=2&prefix=ob"]),
        ("a download", ["-o", "back", *sign, base + "/object"]),
        ("a name with signs", ["upload", *sign, "object", base + "/a%20b%2Bc/%C3%A4"]),
        ("its download", ["-o", "back2", *sign, base + "/a%20b%2Bc/%C3%A4"]),
        ("a deletion", ["request", "-X", "DELETE", *sign, base + "/object"]),
    ]
    for name, words in steps:
        code, output, messages = netdash(words + ["--quiet", "--ephemeral", "--retries", "0"], servers.folder)
        problem = None if code == 0 else f"{code}: {messages.strip()} {output[:200]!r}"
        for copy in ["back", "back2"]:
            if copy in words and not problem and (servers.folder / copy).read_bytes() != (servers.folder / "object").read_bytes():
                problem = "other bytes came back"
        report.check("moto", name, problem)
    parts("moto", base, sign[:2], servers, report)


def localbucket(servers: Servers, report: Report) -> None:
    """A store that does not list the parts of an upload, nor its uploads."""
    port = servers.localbucket()
    base = f"http://127.0.0.1:{port}/bucket"
    parts("localbucket", base, ["--aws-sigv4", "aws:amz:us-east-1:s3"], servers, report, has_lists=False)
    left = [path.name for path in (servers.folder / "buckets" / ".localbucket-uploads").glob("*")]
    report.check("localbucket", "nothing is left", f"{left}" if left else None)


def parts(name: str, base: str, sign: list[str], servers: Servers, report: Report, has_lists: bool = True) -> None:
    """A large file in parts, killed in its middle, continued, and compared with what the store gives back."""
    data = os.urandom(63 << 20)
    (servers.folder / "large").write_bytes(data)
    keys = {"NETDASH_KEYS": "key:secret-words"}
    words = ["upload", "--quiet", "--resumable", "s3", "--part-size", "5M", *sign, "-u", "@env:NETDASH_KEYS"]
    code, _, messages = run([NETDASH_PATH, *words, "--ephemeral", "large", base + "/parts"], servers.folder, keys)
    report.check(name, "an upload in parts", None if code == 0 else f"{code}: {messages.strip()}")
    folder = servers.folder / f"state-{name}"
    state = {"XDG_STATE_HOME": str(folder), **keys}
    session = ["--session", "parts", "--no-service"]
    program = subprocess.Popen(
        [NETDASH_PATH, *words, *session, "--limit-upload", "8M", "large", base + "/killed"], cwd=servers.folder,
        env=os.environ | state, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    time.sleep(5)
    program.kill()
    program.wait()
    told = [path for path in folder.rglob("*") if path.is_file() and b"secret-words" in path.read_bytes()]
    report.check(name, "no key is on the disk", f"{told}" if told else None)
    ask = ["request", *sign, "-u", "key:secret-words", "--quiet", "--ephemeral"]
    if has_lists:
        _, listed, _ = netdash([*ask, base + "?uploads"], servers.folder)
        found = re.findall(rb"<UploadId>([^<]+)<", listed)
        report.check(name, "the upload is at the store", None if len(found) == 1 else f"{listed[:300]!r}")
        if len(found) == 1:
            _, listed, _ = netdash([*ask, f"{base}/killed?uploadId={found[0].decode()}"], servers.folder)
            count = listed.count(b"<PartNumber>")
            report.check(name, "it has some of 13 parts", None if 0 < count < 13 else f"{count}")
    code, _, messages = run([NETDASH_PATH, "--plain", *session], servers.folder, state)
    report.check(name, "it continues after kill -9", None if code == 0 else f"{code}: {messages.strip()}")
    for key in ["parts", "killed"]:
        code, _, messages = netdash(
            ["--quiet", "--ephemeral", *sign, "-u", "key:secret-words", "-o", f"back-{key}", base + "/" + key],
            servers.folder)
        back = servers.folder / f"back-{key}"
        right = back.exists() and back.read_bytes() == data
        report.check(name, f"the object {key}", None if code == 0 and right else f"{code}: {messages.strip()}")
        back.unlink(missing_ok=True)
    if has_lists:
        _, listed, _ = netdash([*ask, base + "?uploads"], servers.folder)
        report.check(name, "nothing is left", None if b"<UploadId>" not in listed else f"{listed[:300]!r}")


def wsgidav(servers: Servers, report: Report) -> None:
    (servers.folder / "file.bin").write_bytes(os.urandom(3_000_000))
    for kind in ["basic", "digest"]:
        port = servers.wsgidav(f"dav-{kind}", kind)
        url = f"http://127.0.0.1:{port}/up.bin"
        who = ["-u", "me:secret"] + (["--digest"] if kind == "digest" else [])
        code, _, messages = netdash(["upload", "--quiet", "--retries", "0", *who, "file.bin", url], servers.folder)
        there = servers.folder / f"dav-{kind}" / "up.bin"
        right = there.exists() and there.read_bytes() == (servers.folder / "file.bin").read_bytes()
        report.check("wsgidav", f"PUT with {kind}", None if code == 0 and right else f"{code}: {messages.strip()}")
        code, _, messages = netdash(["--quiet", "--ephemeral", "--retries", "0", *who, "-o", f"back-{kind}", url], servers.folder)
        report.check("wsgidav", f"GET with {kind}", None if code == 0 else f"{code}: {messages.strip()}")
        code, _, _ = netdash(["--quiet", "--ephemeral", "--retries", "0", "-u", "me:wrong", url], servers.folder)
        report.check("wsgidav", f"a wrong password with {kind}", None if code != 0 else "it was let in")


def proxies(servers: Servers, report: Report) -> None:
    origin = servers.httpbin()
    for name, begin, schemes in [("tinyproxy", servers.tinyproxy, ["http"]),
                                 ("microsocks", servers.microsocks, ["socks5", "socks5h"])]:
        try:
            port = begin()
        except Missing as missing:
            print(f"--   {name}: left out, {missing}")
            continue
        for scheme in schemes:
            for who, lets in [("me:secret", True), ("me:wrong", False)]:
                words = ["request", "--quiet", "--ephemeral", "--retries", "0", "--proxy", f"{scheme}://127.0.0.1:{port}",
                         "--proxy-user", who, f"http://127.0.0.1:{origin}/get"]
                code, output, messages = netdash(words, servers.folder)
                problem = None if (code == 0) == lets else f"{code}: {messages.strip()} {output[:200]!r}"
                if "secret" in messages or "wrong" in messages:
                    problem = f"a password in {messages!r}"
                report.check(name, f"{scheme} with {'a right' if lets else 'a wrong'} password", problem)


def nginx(servers: Servers, report: Report) -> None:
    url = f"https://127.0.0.1:{servers.nginx()}/file"
    words = ["--quiet", "--ephemeral", "--retries", "0", "--cacert", "ca.pem"]
    code, _, messages = netdash(words + ["--cert", "client.pem", "--key", "client.key", "-o", "with", url], servers.folder)
    report.check("nginx", "a client certificate", None if code == 0 else f"{code}: {messages.strip()}")
    code, _, messages = netdash(words + ["-o", "without", url], servers.folder)
    report.check("nginx", "none", None if code != 0 else "it was let in")
    code, _, messages = netdash(["--quiet", "--ephemeral", "--retries", "0", "-o", "unknown", url], servers.folder)
    report.check("nginx", "an unknown authority", None if code == 5 else f"{code}: {messages.strip()}")


def http2(servers: Servers, report: Report) -> None:
    """Streams of HTTP/2 that are reset in the middle, and a server that goes away under them."""
    size = 3 << 20
    whole = b"".join(number.to_bytes(8, "big") for number in range(size // 8))
    words = ["--quiet", "--ephemeral", "--http2", "--cacert", "ca.pem", "-x", "1"]
    port = servers.nginx_before(servers.cutting(size, 4 << 20, cuts=2))
    url = f"https://127.0.0.1:{port}/file"
    _, told, _ = run(["curl", "-s", "--cacert", "ca.pem", "-o", "/dev/null", "-r", "0-9", "-w", "%{http_version}", url], servers.folder)
    report.check("http2", "the server speaks it", None if told == b"2" else f"{told!r}")
    code, _, messages = netdash([*words, "--retries", "5", "-o", "cut", url], servers.folder)
    cut = servers.folder / "cut"
    right = cut.exists() and cut.read_bytes() == whole
    report.check("http2", "a stream that is reset twice", None if code == 0 and right else f"{code}: {messages.strip()}")
    log = next(servers.folder.glob("python*.log")).read_text().split()
    report.check("http2", "goes on behind what has come", None if any(word.startswith("bytes=") and word != "bytes=0-9" for word in log) else f"{log}")
    names = [f"copy-{number}" for number in range(4)]
    (servers.folder / "list").write_text("".join(f"{url}?{name}\n  out={name}\n" for name in names))
    program = subprocess.Popen(
        [str(pathlib.Path(NETDASH).absolute()), *words, "--retries", "5", "-j", "4", "--max-per-host", "4", "--limit-rate", "2M",
         "-i", "list"], cwd=servers.folder, stderr=subprocess.PIPE)
    for _ in range(100):
        if sum(path.stat().st_size for path in servers.folder.glob(".copy-*.part")) > 200_000:
            break
        time.sleep(0.05)
    # The worker says GOAWAY, and a second later it is gone with its connection.
    os.kill(int((servers.folder / "nginx.pid").read_text()), signal.SIGHUP)
    _, complaint = program.communicate(timeout=60)
    wrong = [name for name in names if not (servers.folder / name).exists() or (servers.folder / name).read_bytes() != whole]
    report.check("http2", "a server that goes away under four downloads",
                 None if program.returncode == 0 and not wrong else f"{program.returncode}: {wrong} {complaint.decode()}")
    asked = [line for line in (servers.folder / "nginx-access.log").read_text().splitlines() if "netdash" in line]
    report.check("http2", "netdash speaks it",
                 None if asked and all(line.startswith("HTTP/2.0 ") for line in asked) else f"{asked[:5]}")


def apache(servers: Servers, report: Report) -> None:
    servers.tickets()
    url = f"http://localhost:{servers.apache()}/file"
    words = ["--quiet", "--ephemeral", "--retries", "0"]
    file = (servers.folder / "closed" / "file").read_bytes()
    code, body, messages = netdash(["request", *words, "--negotiate", url], servers.folder)
    report.check("apache", "a ticket", None if code == 0 and body == file else f"{code}: {messages.strip()} {body[:200]!r}")
    code, body, _ = run(["curl", "-s", "--negotiate", "-u", ":", url], servers.folder)
    report.check("apache", "curl's ticket", None if body == file else f"{code}: {body[:200]!r}")
    (servers.folder / "list").write_text("".join(f"{url}?{number}\n  out=copy-{number}\n" for number in range(20)))
    code, _, messages = netdash([*words, "--negotiate", "-i", "list"], servers.folder)
    copies = [servers.folder / f"copy-{number}" for number in range(20)]
    right = all(copy.exists() and copy.read_bytes() == file for copy in copies)
    report.check("apache", "twenty tickets at once", None if code == 0 and right else f"{code}: {messages.strip()}")
    code, body, messages = netdash(["request", *words, url], servers.folder)
    report.check("apache", "no ticket unasked", None if code == 1 else f"{code}: {messages.strip()} {body[:200]!r}")
    wrong = url.replace("localhost", "127.0.0.1")
    code, body, messages = netdash(["request", *words, "--negotiate", wrong], servers.folder)
    report.check("apache", "a server without a ticket of its own",
                 None if code == 1 and "kinit" in messages else f"{code}: {messages.strip()} {body[:200]!r}")
    (servers.folder / "tickets").unlink()
    code, body, messages = netdash(["request", *words, "--negotiate", url], servers.folder)
    report.check("apache", "nobody has a ticket",
                 None if code == 1 and "kinit" in messages else f"{code}: {messages.strip()} {body[:200]!r}")


PARTS = {"httpbin": httpbin, "moto": moto, "localbucket": localbucket, "wsgidav": wsgidav, "proxies": proxies, "nginx": nginx, "http2": http2, "apache": apache}


def main() -> None:
    wanted = sys.argv[1:] or list(PARTS)
    for name in wanted:
        if name not in PARTS:
            sys.exit(f'script/real-parts: "{name}" is not understood; write {", ".join(PARTS)}')
    if shutil.which("curl") is None:
        sys.exit("script/real-parts: curl is not on this machine")
    build = pathlib.Path(".build/real-parts").absolute()
    build.mkdir(parents=True, exist_ok=True)
    # Only some need servers from the index of Python's packages.
    programs = environment(build) if set(wanted) - {"nginx", "http2", "apache"} else build
    report = Report()
    for name in wanted:
        with tempfile.TemporaryDirectory(prefix="real-parts-") as folder:
            servers = Servers(pathlib.Path(folder), programs)
            try:
                PARTS[name](servers, report)
            except Missing as missing:
                print(f"--   {name}: left out, {missing}")
            finally:
                servers.end()
    print(f"{report.count} compared, {report.failures} not as wanted")
    sys.exit(1 if report.failures else 0)


if __name__ == "__main__":
    main()
