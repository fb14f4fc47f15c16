"""A private nginx: one worker, loopback only, a free port, every file below one folder."""

import os
import pathlib
import socket
import subprocess
import time

CONFIGURATION = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    # One line per request: what was sent, and from where on.
    log_format sent '$request_method $uri $status $body_bytes_sent $http_range';
    default_type application/octet-stream;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
    client_max_body_size 0;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen {address}:{port};
        root {folder}/files;
        location /slow/ {{
            alias {folder}/files/;
            limit_rate 2m;
            access_log {folder}/slow.log sent;
        }}
        # For many at once.
        location /trickle/ {{
            alias {folder}/files/;
            limit_rate 100k;
        }}
        # So slow that no machine is too slow for it, until somebody lets go.
        location /held/ {{
            alias {folder}/files/;
            set $held_rate 512k;
            if (-f {folder}/released) {{ set $held_rate 0; }}
            limit_rate $held_rate;
            access_log {folder}/held.log sent;
        }}
        location /put/ {{
            root {folder};
            dav_methods PUT;
            create_full_put_path on;
            access_log {folder}/put.log sent;
        }}
    }}
    # A connection for each request.
    server {{
        listen {address}:{secure_port} ssl;
        ssl_certificate {folder}/tls.pem;
        ssl_certificate_key {folder}/tls.key;
        root {folder}/files;
        keepalive_timeout 0;
    }}
    # Connections that stay, and HTTP/2 for whoever asks for it.
    server {{
        listen {address}:{kept_port} ssl http2;
        ssl_certificate {folder}/tls.pem;
        ssl_certificate_key {folder}/tls.key;
        root {folder}/files;
    }}
}}
"""


class Nginx:
    """Serves `files/` at `/`, the same at 2 MiB/s below `/slow/`, at 100 KiB/s below `/trickle/`, and takes PUT below `/put/`.

    Below `/held/` each request is served at 512 KiB/s, or freely when it comes after `release()`.
    """

    def __init__(self, folder: pathlib.Path, address: str = "127.0.0.1", prefix: list[str] | None = None):
        self.folder = folder
        self.address = address
        self.prefix = prefix or []
        """What its command begins with, such as what puts it into a network namespace."""
        self.files = folder / "files"
        self.received = folder / "put"
        self.certificate = folder / "tls.pem"
        """What whoever believes the server behind `secure_url` takes for an authority."""
        self.port = 0
        self.secure_port = 0
        self.kept_port = 0
        self._process: subprocess.Popen | None = None

    def __enter__(self) -> "Nginx":
        self.files.mkdir(parents=True)
        self.received.mkdir()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(self.folder / "tls.key"), "-out",
             str(self.certificate), "-days", "2", "-subj", f"/CN={self.address}", "-addext", f"subjectAltName=IP:{self.address}"],
            check=True, capture_output=True)
        for _ in range(5):  # Somebody may take the free port before nginx does.
            if self._start():
                return self
        raise RuntimeError(f"nginx does not start: {(self.folder / 'error.log').read_text()}")

    def __exit__(self, *_) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait()

    def url(self, path: str) -> str:
        return f"http://{self.address}:{self.port}/{path}"

    def secure_url(self, path: str) -> str:
        return f"https://{self.address}:{self.secure_port}/{path}"

    def kept_secure_url(self, path: str) -> str:
        """The same where connections stay open, and HTTP/2 is offered."""
        return f"https://{self.address}:{self.kept_port}/{path}"

    def hold(self) -> None:
        (self.folder / "released").unlink(missing_ok=True)

    def release(self) -> None:
        (self.folder / "released").touch()

    def sent(self, log: str) -> list[tuple[str, int, int]]:
        """Path, status and body bytes of every logged request so far."""
        path = self.folder / f"{log}.log"
        lines = path.read_text().splitlines() if path.exists() else []
        fields = [line.split(" ") for line in lines]
        return [(field[1], int(field[2]), int(field[3])) for field in fields]

    def _start(self) -> bool:
        self.port = free_port()
        self.secure_port = free_port()
        self.kept_port = free_port()
        configuration = self.folder / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""
        configuration.write_text(CONFIGURATION.format(
            folder=self.folder, address=self.address, port=self.port, secure_port=self.secure_port,
            kept_port=self.kept_port, user=user))
        command = [*self.prefix, "nginx", "-e", str(self.folder / "error.log"), "-p", str(self.folder), "-c", str(configuration)]
        environment = os.environ | {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        self._process = subprocess.Popen(command, env=environment)
        while self._process.poll() is None:
            if (self.folder / "nginx.pid").exists():  # written when it listens
                return True
            time.sleep(0.02)
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
