"""A private PostgreSQL of the installed package: a temporary folder, and a Unix socket alone."""

import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile


class Postgres:
    def __init__(self):
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        assert found, "PostgreSQL is not installed (apt-get install postgresql)"
        self.programs = found[-1]
        # A socket's path has at most 107 bytes.
        self.socket = pathlib.Path(tempfile.mkdtemp(prefix="fleet-bench-", dir="/tmp"))
        self.data = self.socket / "data"
        # PostgreSQL refuses to run as root.
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []

    def __enter__(self) -> "Postgres":
        if self.user:
            os.chown(self.socket, pwd.getpwnam("postgres").pw_uid, -1)
        self.control("initdb", "-D", str(self.data), "-A", "trust", "-U", "postgres")
        options = f"-c listen_addresses= -c unix_socket_directories={self.socket} -c max_wal_size=4GB -c max_connections=150"
        self.control(
            "pg_ctl", "-s", "-D", str(self.data), "-w", "-l", str(self.socket / "log"), "-o", options, "start")
        os.environ |= {"PGHOST": str(self.socket), "PGUSER": "postgres", "PGDATABASE": "postgres"}
        return self

    def __exit__(self, *_) -> None:
        self.control("pg_ctl", "-s", "-D", str(self.data), "stop", "-m", "immediate")
        shutil.rmtree(self.socket)

    def control(self, program: str, *words: str) -> None:
        subprocess.run(
            [*self.user, str(self.programs / program), *words], check=True, cwd="/", stdout=subprocess.DEVNULL)

    def create(self, name: str) -> None:
        """Makes a database, which the programs that follow use."""
        os.environ["PGDATABASE"] = "postgres"
        self.run(f"CREATE DATABASE {name}")
        os.environ["PGDATABASE"] = name

    def run(self, script: str) -> str:
        """Runs statements, and returns what they print."""
        command = [str(self.programs / "psql"), "-XAtq", "-v", "ON_ERROR_STOP=1"]
        return subprocess.run(command, input=script, check=True, capture_output=True, text=True).stdout.strip()
