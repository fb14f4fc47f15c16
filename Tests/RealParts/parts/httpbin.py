"""httpbin, which says what it was asked: netdash and curl get the same from it."""

import json
import pathlib

from looking import Report, netdash, run
from servers import Servers, free_port

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



def begin(servers: Servers) -> int:
    servers.install("httpbin", "httpbin", "gunicorn")
    port = free_port()
    return servers.begin(["gunicorn", "--threads", "8", "--bind", f"127.0.0.1:{port}", "httpbin:app"], port)


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
    port = begin(servers)
    for name, path, words in HTTPBIN:
        report.check("httpbin", name, compare(f"http://127.0.0.1:{port}{path}", words, servers.folder))
    # Forms that curl 7.88 does not know, or answers otherwise.
    for name, path in [("auth-int, nothing sent", "/digest-auth/auth-int/me/secret/MD5"),
                       ("stale number", "/digest-auth/auth/me/secret/MD5/1")]:
        words = ["request", "--quiet", "--ephemeral", "-u", "me:secret", "--digest", "--cookie-jar", str(servers.folder / "jar")]
        (servers.folder / "jar").unlink(missing_ok=True)
        code, output, messages = netdash(words + [f"http://127.0.0.1:{port}{path}"], servers.folder)
        report.check("httpbin", f"digest, {name}", None if code == 0 else f"{code}: {messages} {output[:200]!r}")

