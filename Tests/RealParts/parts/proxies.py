"""tinyproxy and microsocks: proxies of HTTP and SOCKS that want a password."""

from looking import Report, netdash
from parts import httpbin
from servers import Missing, Servers, free_port


def tinyproxy(servers: Servers) -> int:
    port = free_port()
    settings = servers.folder / "tinyproxy.conf"
    settings.write_text(
        f"Port {port}\nListen 127.0.0.1\nAllow 127.0.0.1\nTimeout 60\n"
        "MaxClients 50\nLogLevel Info\nBasicAuth me secret\n"
    )
    return servers.begin(["tinyproxy", "-d", "-c", settings], port)


def microsocks(servers: Servers) -> int:
    port = free_port()
    return servers.begin(["microsocks", "-i", "127.0.0.1", "-p", port, "-u", "me", "-P", "secret"], port)


def proxies(servers: Servers, report: Report) -> None:
    origin = httpbin.begin(servers)
    for name, begin, schemes in [("tinyproxy", tinyproxy, ["http"]), ("microsocks", microsocks, ["socks5", "socks5h"])]:
        try:
            port = begin(servers)
        except Missing as missing:
            report.leave_out(name, missing)
            continue
        for scheme in schemes:
            for who, lets in [("me:secret", True), ("me:wrong", False)]:
                words = [
                    "request",
                    "--quiet",
                    "--ephemeral",
                    "--retries",
                    "0",
                    "--proxy",
                    f"{scheme}://127.0.0.1:{port}",
                    "--proxy-user",
                    who,
                    f"http://127.0.0.1:{origin}/get",
                ]
                code, output, messages = netdash(words, servers.folder)
                problem = None if (code == 0) == lets else f"{code}: {messages.strip()} {output[:200]!r}"
                if "secret" in messages or "wrong" in messages:
                    problem = f"a password in {messages!r}"
                report.check("proxies", f"{scheme} with {'a right' if lets else 'a wrong'} password", problem)
