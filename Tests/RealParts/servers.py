"""Real servers and proxies on loopback, begun for one run and ended with it."""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import typing

PACKAGES = ["httpbin", "gunicorn", "moto[s3,server]", "localbucket", "wsgidav", "cheroot"]


class Missing(Exception):
    """A program that is not on this machine."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(folder: pathlib.Path) -> pathlib.Path:
    """The folder of the programs of a virtual environment that has the Python servers; made when it is missing."""
    programs = folder / "venv" / "bin"
    if not all((programs / name).exists() for name in ["moto_server", "localbucket"]):
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        subprocess.run([programs / "pip", "install", "--quiet", *PACKAGES], check=True)
    return programs


class Servers:
    """What was begun, to be ended one by one."""

    def __init__(self, folder: pathlib.Path, programs: pathlib.Path):
        self.folder = folder
        self.programs = programs
        self.running: list[subprocess.Popen] = []

    def end(self) -> None:
        for process in self.running:
            process.terminate()
        for process in self.running:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()

    def begin(self, words: typing.Sequence[object], port: int) -> int:
        """Begins a server and waits until it listens."""
        program = shutil.which(str(words[0]), path=f"{self.programs}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin")
        if program is None:
            raise Missing(f"{words[0]} is not on this machine")
        log = open(self.folder / f"{pathlib.Path(program).name}.log", "ab")
        arguments = [program, *map(str, words[1:])]
        process = subprocess.Popen(arguments, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder)
        self.running.append(process)
        for _ in range(600):
            if process.poll() is not None:
                raise Missing(f"{words[0]} has ended; see {log.name}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return port
            time.sleep(0.1)
        raise Missing(f"{words[0]} does not listen; see {log.name}")

    def httpbin(self) -> int:
        port = free_port()
        return self.begin(["gunicorn", "--threads", "8", "--bind", f"127.0.0.1:{port}", "httpbin:app"], port)

    def moto(self) -> int:
        port = free_port()
        return self.begin(["moto_server", "-H", "127.0.0.1", "-p", port], port)

    def localbucket(self) -> int:
        port = free_port()
        (self.folder / "buckets" / "bucket").mkdir(parents=True)
        return self.begin(["localbucket", "--port", port, self.folder / "buckets"], port)

    def wsgidav(self, name: str, authentication: str) -> int:
        port = free_port()
        root = self.folder / name
        root.mkdir(exist_ok=True)
        settings = self.folder / f"{name}.yaml"
        settings.write_text(
            f"host: 127.0.0.1\nport: {port}\nprovider_mapping:\n  /: {root}\n"
            f"http_authenticator:\n  accept_basic: {str(authentication == 'basic').lower()}\n"
            f"  accept_digest: {str(authentication == 'digest').lower()}\n  default_to_digest: {str(authentication == 'digest').lower()}\n"
            "simple_dc:\n  user_mapping:\n    '*':\n      me:\n        password: secret\n")
        return self.begin(["wsgidav", "--config", settings, "--server", "cheroot"], port)

    def tinyproxy(self) -> int:
        port = free_port()
        settings = self.folder / "tinyproxy.conf"
        settings.write_text(
            f"Port {port}\nListen 127.0.0.1\nAllow 127.0.0.1\nTimeout 60\nMaxClients 50\nLogLevel Info\n"
            "BasicAuth me secret\n")
        return self.begin(["tinyproxy", "-d", "-c", settings], port)

    def microsocks(self) -> int:
        port = free_port()
        return self.begin(["microsocks", "-i", "127.0.0.1", "-p", port, "-u", "me", "-P", "secret"], port)

    def tickets(self) -> dict[str, str]:
        """A server of Kerberos tickets with the user `me`, who has got one, and the service HTTP/localhost in `keys`; returns
        what programs have to find in their environment."""
        port = free_port()
        folder = self.folder
        (folder / "krb5.conf").write_text(
            "[libdefaults]\ndefault_realm = TEST\ndns_canonicalize_hostname = false\nrdns = false\n"
            "dns_lookup_kdc = false\n"
            f"[realms]\nTEST = {{\nkdc = 127.0.0.1:{port}\n}}\n[domain_realm]\nlocalhost = TEST\n")
        (folder / "kdc.conf").write_text(
            f"[kdcdefaults]\nkdc_ports = {port}\nkdc_tcp_ports = {port}\nkdc_listen = 127.0.0.1:{port}\n"
            f"kdc_tcp_listen = 127.0.0.1:{port}\n[realms]\nTEST = {{\ndatabase_name = {folder}/principal\n"
            f"key_stash_file = {folder}/stash\nacl_file = {folder}/acl\n}}\n")
        paths = {"KRB5_CONFIG": f"{folder}/krb5.conf", "KRB5_KDC_PROFILE": f"{folder}/kdc.conf",
                 "KRB5CCNAME": f"FILE:{folder}/tickets"}

        def administer(*words: str, text: str = "") -> None:
            program = shutil.which(words[0], path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin")
            if program is None:
                raise Missing(f"{words[0]} is not on this machine")
            subprocess.run([program, *words[1:]], cwd=folder, env=os.environ | paths, input=text.encode(), check=True,
                           capture_output=True)

        administer("kdb5_util", "create", "-s", "-P", "master", "-r", "TEST")
        for query in ["addprinc -pw secret me", "addprinc -randkey HTTP/localhost",
                      f"ktadd -k {folder}/keys HTTP/localhost"]:
            administer("kadmin.local", "-q", query)
        os.environ.update(paths)
        self.begin(["krb5kdc", "-n", "-P", folder / "krb5kdc.pid"], port)
        administer("kinit", "me", text="secret\n")
        return paths

    def apache(self) -> int:
        """apache with mod_auth_gssapi, which wants a ticket for what is in `closed`; `tickets` comes before."""
        port = free_port()
        modules = pathlib.Path("/usr/lib/apache2/modules")
        if not (modules / "mod_auth_gssapi.so").exists():
            raise Missing("mod_auth_gssapi is not on this machine")
        folder = self.folder
        folder.chmod(0o755)
        (folder / "keys").chmod(0o644)
        (folder / "closed").mkdir()
        (folder / "closed" / "file").write_bytes(b"for whoever has a ticket\n" * 1000)
        loaded = ["mpm_event", "authn_core", "authz_core", "authz_user", "auth_gssapi"]
        settings = folder / "apache.conf"
        settings.write_text(
            "".join(f"LoadModule {name}_module {modules}/mod_{name}.so\n" for name in loaded)
            + f"ServerName localhost\nListen 127.0.0.1:{port}\nPidFile {folder}/apache.pid\nErrorLog {folder}/apache-error.log\n"
            f"DefaultRuntimeDir {folder}\nUser www-data\nGroup www-data\nDocumentRoot {folder}/closed\n"
            f"<Directory {folder}/closed>\nAuthType GSSAPI\nAuthName closed\nGssapiCredStore keytab:{folder}/keys\n"
            "Require valid-user\n</Directory>\n")
        return self.begin(["apache2", "-X", "-f", settings], port)

    def nginx(self) -> int:
        """nginx that wants a certificate of the authority that is made here; `ca.pem`, `client.pem` and `client.key`."""
        make_certificates(self.folder)
        (self.folder / "file").write_bytes(b"from nginx\n" * 1000)
        return self.begin_nginx(
            "ssl", f"root {self.folder}; ssl_client_certificate {self.folder}/ca.pem; ssl_verify_client on;")

    def nginx_before(self, origin: int) -> int:
        """nginx that speaks HTTP/2 and asks another server; when it is told to begin anew its worker has a second left."""
        make_certificates(self.folder)
        return self.begin_nginx(
            "ssl http2", f"location / {{ proxy_pass http://127.0.0.1:{origin}; proxy_http_version 1.1; proxy_buffering off; }}",
            "worker_processes 1; worker_shutdown_timeout 1s;")

    def begin_nginx(self, listening: str, server: str, process: str = "") -> int:
        port = free_port()
        # Its workers are of another user where it is begun by root.
        self.folder.chmod(0o755)
        settings = self.folder / "nginx.conf"
        settings.write_text(
            f"daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx-error.log; {process}\n"
            "events {}\nhttp { log_format told \"$server_protocol $http_user_agent\";\n"
            f"access_log {self.folder}/nginx-access.log told;\n"
            + "".join(f"{kind}_temp_path {self.folder}/{kind};\n"
                      for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
            + f"server {{ listen 127.0.0.1:{port} {listening};\n"
            f"ssl_certificate {self.folder}/server.pem; ssl_certificate_key {self.folder}/server.key;\n{server} }} }}\n")
        return self.begin(["nginx", "-c", settings, "-e", self.folder / "nginx-error.log"], port)

    def cutting(self, size: int, rate: int, cuts: int) -> int:
        """A server that cuts so many of its answers in the middle."""
        port = free_port()
        program = pathlib.Path(__file__).with_name("cut_server.py")
        return self.begin([sys.executable, "-B", program, port, size, rate, cuts], port)


def make_certificates(folder: pathlib.Path) -> None:
    """An authority, and what a server of this machine and a client show."""

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
            "-subj", "/CN=Authority of a test")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
    for name in ["server", "client"]:
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr",
                "-subj", f"/CN={name}")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                "-out", f"{name}.pem", "-days", "2", "-extfile", "names")
