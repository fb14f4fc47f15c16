"""A KDC with a realm of its own, and apache that wants its tickets: what netdash does with one, and without."""

import os

from looking import NETDASH, Report, Result, environment, netdash, other_bytes, partial, run, wait_until
from parts import apache
from servers import Missing, Servers, free_port

WORDS = ["--quiet", "--ephemeral", "--retries", "0"]


class Realm:
    """A server of tickets with the user `me` and the service HTTP/localhost, whose key is in `keys`."""

    def __init__(self, servers: Servers):
        self.servers = servers
        folder = servers.folder
        port = free_port()
        (folder / "krb5.conf").write_text(
            "[libdefaults]\ndefault_realm = TEST\ndns_canonicalize_hostname = false\n"
            "rdns = false\ndns_lookup_kdc = false\nclockskew = 1\n"
            f"[realms]\nTEST = {{\nkdc = 127.0.0.1:{port}\n}}\n[domain_realm]\nlocalhost = TEST\n"
            f"[logging]\nkdc = FILE:{folder}/kdc.log\n"
        )
        (folder / "kdc.conf").write_text(
            f"[kdcdefaults]\nkdc_listen = 127.0.0.1:{port}\nkdc_tcp_listen = 127.0.0.1:{port}\n"
            f"[realms]\nTEST = {{\ndatabase_name = {folder}/principal\n"
            f"key_stash_file = {folder}/stash\nacl_file = {folder}/acl\n}}\n"
        )
        # What programs have to find in their environment.
        self.paths = {"KRB5_CONFIG": f"{folder}/krb5.conf", "KRB5_KDC_PROFILE": f"{folder}/kdc.conf",
                      "KRB5CCNAME": f"FILE:{folder}/tickets", "KRB5RCACHENAME": "none:"}
        (folder / "password").write_text("secret\n")
        for words in [["kdb5_util", "create", "-s", "-P", "master", "-r", "TEST"]] + [
            ["kadmin.local", "-q", query]
            for query in [
                "addprinc -pw secret me",
                "addprinc -randkey HTTP/localhost",
                f"ktadd -k {folder}/keys HTTP/localhost",
            ]
        ]:
            servers.finish(words, environment(folder, self.paths))
        servers.begin(["krb5kdc", "-n", "-P", folder / "krb5kdc.pid"], port, environment(folder, self.paths))
        self.server = servers.running[-1]

    def log_in(self, *words: str) -> None:
        (self.servers.folder / "tickets").unlink(missing_ok=True)
        # kinit reads a password from standard input where there is no terminal.
        if problem := self.run("sh", "-c", " ".join(["kinit", *words, "me", "<password"])).problem():
            raise Missing(f"kinit: {problem}")

    def run(self, *words: str) -> Result:
        return run([self.servers.find(words[0]), *words[1:]], self.servers.folder, self.paths)

    def netdash(self, *words: str) -> Result:
        return netdash([*words], self.servers.folder, self.paths)


def kerberos(servers: Servers, report: Report) -> None:
    realm = Realm(servers)
    folder = servers.folder
    (folder / "keys").chmod(0o644)
    (folder / "locks").mkdir()
    (folder / "locks").chmod(0o777)
    realm.log_in()
    port = apache.begin(
        servers, ["authz_user", "auth_gssapi", "dav", "dav_fs"],
        f"DavLockDB {folder}/locks/lock\n<Directory {folder}/site>\nDav On\nAuthType GSSAPI\nAuthName closed\n"
        f"GssapiCredStore keytab:{folder}/keys\nRequire valid-user\n</Directory>\n", realm.paths)
    url = f"http://localhost:{port}/file"
    file = os.urandom(4 << 20)
    (folder / "site" / "file").write_bytes(file)
    tickets(realm, report, url, file)
    killed(realm, report, url, file)
    refused(realm, report, url)


def tickets(realm: Realm, report: Report, url: str, file: bytes) -> None:
    folder = realm.servers.folder
    code, body, messages = realm.netdash("request", *WORDS, "--negotiate", url)
    report.check(
        "kerberos", "a ticket", None if code == 0 and body == file else f"{code}: {messages.strip()} {body[:200]!r}"
    )
    code, body, _ = realm.run("curl", "-s", "--negotiate", "-u", ":", url)
    report.check("kerberos", "curl's ticket", None if body == file else f"{code}: {body[:200]!r}")
    (folder / "list").write_text("".join(f"{url}?{number}\n  out=copy-{number}\n" for number in range(20)))
    result = realm.netdash(*WORDS, "--negotiate", "-i", "list")
    problems = [other_bytes(folder / f"copy-{number}", file) for number in range(20)]
    report.check("kerberos", "twenty tickets at once", result.problem() or next(filter(None, problems), None))
    (folder / "sent").write_bytes(file[::-1])
    result = realm.netdash("upload", *WORDS, "--negotiate", "sent", url.replace("/file", "/sent"))
    report.check("kerberos", "an upload", result.problem() or other_bytes(folder / "site" / "sent", file[::-1]))


def killed(realm: Realm, report: Report, url: str, file: bytes) -> None:
    folder = realm.servers.folder
    words = [*WORDS, "--negotiate", "-o", "killed", url]
    program = realm.servers.start([NETDASH, "--limit-rate", "2M", *words], environment(folder, realm.paths))
    arrived = wait_until(lambda: partial(folder, "killed") > 1 << 20)
    program.kill()
    program.wait()
    report.check(
        "kerberos",
        "a download is killed in its middle",
        None if arrived and not (folder / "killed").exists() else "it was not",
    )
    result = realm.netdash(*words)
    report.check("kerberos", "it goes on with a ticket", result.problem() or other_bytes(folder / "killed", file))


def refused(realm: Realm, report: Report, url: str) -> None:
    """Nothing comes without a ticket, and a sentence says why."""
    folder = realm.servers.folder
    report.check("kerberos", "no ticket unasked", realm.netdash("request", *WORDS, url).problem(1, "401"))
    wrong = url.replace("localhost", "127.0.0.1")
    report.check("kerberos", "a server without a ticket of its own",
                 realm.netdash("request", *WORDS, "--negotiate", wrong).problem(1, "kinit"))
    realm.log_in("-l", "1s")
    expired = wait_until(
        lambda: b"401"
        in realm.run("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--negotiate", "-u", ":", url).output
    )
    result = realm.netdash("request", *WORDS, "--negotiate", url)
    report.check("kerberos", "a ticket that has expired", result.problem(1, "kinit") if expired else "it lasts")
    (folder / "tickets").unlink()
    report.check(
        "kerberos", "no ticket at all", realm.netdash("request", *WORDS, "--negotiate", url).problem(1, "kinit")
    )
    realm.log_in()
    realm.server.terminate()
    realm.server.wait(10)
    result = realm.netdash("request", *WORDS, "--negotiate", url)
    report.check("kerberos", "the server of tickets is gone", result.problem(1, "Kerberos"))
    report.say("kerberos", f"it says: {result.messages.strip().splitlines()[-1:]}")
