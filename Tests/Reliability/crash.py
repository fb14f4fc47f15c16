"""Kills netdash at its writing system calls, one after the other, or fails them there, and looks whether a promise was broken.

  script/crash [--error EIO|ENOSPC|...] [--first K] [--last K] [--step N] [--connections N]

With --connections each file is fetched over so many connections as it is large enough for.

Each round is one scripted run on a saved session, with a server within this script: a large download, small ones, one that fails
at first, an upload, and a download that is added while the others are under way. strace ends the process with SIGKILL, or lets
the call fail, at the K-th such call of whichever thread gets there first. Then the session is opened again without a fault: alone,
which tries again what had failed, and then with the list. What must hold:

  I1  whatever stands under a final name is the server's file, whole
  I3  a download of which the first run has told, but not that it failed, is done when its session was opened again, without
      the list
  I4  nothing outside the folders of the run was created
  I5  each run ends, and the last one with success
  I7  after a kill no more bytes come than the files have, 8 MiB and what the sockets of all connections hold
      and nothing is left in the folder but the files: no part, no meta

The calls are those that write, name, remove, cut, sync and reserve. Needs strace and a build; NETDASH names another binary.
"""
import argparse, http.server, os, pathlib, shutil, socketserver, subprocess, sys, tempfile, threading, time

import common

CALLS = ("write,pwrite64,writev,fsync,fdatasync,syncfs,renameat2,renameat,rename,linkat,unlinkat,unlink,ftruncate,fallocate,"
         "fchmod,mkdirat,mkdir")
# What wakes a thread, or goes into a pipe or a terminal, cannot fail like a disk.
FAILING = CALLS.removeprefix("write,").replace("writev,", "")
LARGE, SMALL, SMALL_COUNT = 24 << 20, 9_000, 12
CHECKPOINT, SOCKETS = 8 << 20, 4 << 20


FAILING_FIRST, ADDED = "later.bin", "added.bin"
FILES = {"large.bin": LARGE, **{f"small-{i}.bin": SMALL + i for i in range(SMALL_COUNT)}, FAILING_FIRST: SMALL, ADDED: 3 * SMALL}


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, rate=None):
        """A server on loopback; `rate` limits the bytes a second of each answer."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.sent, self.uploads, self.lock, self.rate = 0, [], threading.Lock(), rate
        self.bodies = {name: common.content(name, size) for name, size in FILES.items()}
        self.asked, self.refused = threading.Event(), set()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        name = self.path.split("?")[0].strip("/")
        self.server.asked.set()
        if name == FAILING_FIRST and name not in self.server.refused:
            self.server.refused.add(name)
            return self.send_error(404)
        body = self.server.bodies.get(name, b"{}")
        tag, start, end, status = f'"{name}-{len(body)}"', 0, len(body), 200
        wanted = self.headers.get("Range", "")
        if wanted.startswith("bytes=") and self.headers.get("If-Range") == tag:
            first, last = wanted[6:].split("-")
            start, end, status = int(first), min(int(last) + 1, end) if last else end, 206
        self.send_response(status)
        self.send_header("ETag", tag)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(end - start))
        if status == 206:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(body)}")
        self.end_headers()
        for place in range(start, end, 1 << 16):
            piece = body[place:min(place + (1 << 16), end)]
            self.wfile.write(piece)
            with self.server.lock:
                self.server.sent += len(piece)
            if self.server.rate:
                time.sleep(len(piece) / self.server.rate)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.server.lock:
            self.server.uploads.append(body)
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()


class Round:
    def __init__(self, netdash, folder, connections=1):
        self.netdash, self.root, self.connections = netdash, pathlib.Path(folder), connections
        self.options = ["--plain", "--session", "crash", "--retries", "0", "--if-exists", "skip"]
        # With several connections the run that is killed throws away what theirs hold, and so does the one that goes on when
        # one connection takes over from another.
        self.sockets = SOCKETS if connections == 1 else 2 * connections * SOCKETS
        if connections > 1:
            self.options += ["-x", str(connections), "-k", "1M"]
        self.out, self.state = self.root / "out", self.root / "state"
        self.out.mkdir()
        (self.root / "home").mkdir()
        self.server = Server()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        (self.root / "upload.bin").write_bytes(common.content("upload", 200_000))
        lines = [f"{self.url}/{name}\n" for name in FILES if name != ADDED]
        lines += [f"{self.url}/upload\n  kind=upload\n  body-file={self.root}/upload.bin\n\n"]
        self.lines, self.added = "".join(lines), f"{self.url}/{ADDED}\n\n"
        (self.root / "list").write_text(self.lines + self.added)
        self.environment = dict(
            os.environ, HOME=str(self.root / "home"), XDG_STATE_HOME=str(self.state), XDG_CONFIG_HOME=str(self.root / "none"),
            TMPDIR=str(self.root), LANG="C.UTF-8")

    def run(self, arguments, before=()):
        words = [*before, self.netdash, *self.options, "-d", str(self.out), *arguments]
        with open(self.root / "output", "ab") as output:
            try:
                return subprocess.run(
                    words, env=self.environment, cwd=self.root, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                    timeout=60).returncode
            except subprocess.TimeoutExpired:
                return None

    def feed(self, before):
        """The run with the fault: the list comes through standard input, and one line more once something is under way."""
        words = [*before, self.netdash, *self.options, "-d", str(self.out), "-i", "-"]
        with open(self.root / "output", "ab") as output:
            process = subprocess.Popen(
                words, env=self.environment, cwd=self.root, stdin=subprocess.PIPE, stdout=output, stderr=output, text=True)
            try:
                process.stdin.write(self.lines)
                process.stdin.flush()
                while not self.server.asked.wait(0.05) and process.poll() is None:
                    pass
                process.stdin.write(self.added)
                process.stdin.close()
            except BrokenPipeError:
                pass  # It was ended before it read that.
            try:
                return process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                return None

    def names(self):
        return {path.name for path in self.out.iterdir()}

    def wrong_files(self):
        """I1: a name that is no part holds what the server has."""
        found = []
        for path in self.out.iterdir():
            if path.name.startswith("."):
                continue
            if path.read_bytes() != self.server.bodies.get(path.name):
                found.append(path.name)
        return found

    def problems(self, fault):
        found = []
        first = self.feed(fault)
        if first is None:
            found.append("I5: the run with the fault did not end")
        self.server.refused.add(FAILING_FIRST)
        told = (self.root / "output").read_text(errors="replace")
        if wrong := self.wrong_files():
            found.append(f"I1: wrong after the fault: {wrong}")
        if self.run(["--retry-failed"]) is None:
            found.append("I5: the session alone did not end")
        if wrong := self.wrong_files():
            found.append(f"I1: wrong when the session was opened again: {wrong}")
        failed = [line for line in told.splitlines() if " failed" in line or " undone" in line]
        known = {name for name in FILES if f"/{name}" in told and not any(f"/{name}" in line for line in failed)}
        if lost := known - self.names():
            found.append(f"I3: told of and lost: {sorted(lost)}")
        last = self.run(["-i", str(self.root / "list")])
        if last != 0:
            found.append(f"I5: it does not end well: {last}")
        if wrong := self.wrong_files():
            found.append(f"I1: wrong at the end: {wrong}")
        if missing := set(FILES) - self.names():
            found.append(f"I1: missing at the end: {sorted(missing)}")
        if more := self.names() - set(FILES):
            sizes = ", ".join(f"{name} of {(self.out / name).stat().st_size} bytes" for name in sorted(more))
            found.append(f"left: {sizes}")
        if fault[-1].find("signal=KILL") >= 0 and self.server.sent > sum(FILES.values()) + CHECKPOINT + self.sockets:
            found.append(f"I7: {self.server.sent} bytes came")
        if any(body != common.content("upload", 200_000) for body in self.server.uploads):
            found.append("I1: another upload than the file")
        if strange := {path.name for path in self.root.iterdir()} - {
                "out", "state", "home", "list", "upload.bin", "output", "strace", f"sessioncore-{os.getuid()}"}:
            found.append(f"I4: made elsewhere: {sorted(strange)}")
        self.server.shutdown()
        self.server.server_close()
        return first, found


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--error")
    options.add_argument("--first", type=int, default=1)
    options.add_argument("--last", type=int, default=10_000)
    options.add_argument("--step", type=int, default=1)
    options.add_argument("--connections", type=int, default=1)
    options = options.parse_args()
    netdash = os.environ.get("NETDASH") or str(pathlib.Path(__file__).resolve().parents[2] / ".build/debug/netdash")
    for need in (netdash, "strace"):
        if not shutil.which(need):
            sys.exit(f"script/crash: {need} is not there")
    if subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        print("script/crash: left out: strace may not trace here")
        sys.exit(0)
    broken, quiet, rounds = 0, 0, 0
    for number in range(options.first, options.last + 1, options.step):
        what = f"error={options.error}" if options.error else "signal=KILL"
        folder = tempfile.mkdtemp(prefix="netdash-crash-")
        try:
            calls = FAILING if options.error else CALLS
            log = os.path.join(folder, "strace")
            fault = ["strace", "-f", "-qq", "-o", log, "-e", f"trace={calls}", "-e", f"inject={calls}:{what}:when={number}"]
            first, found = Round(netdash, folder, options.connections).problems(fault)
            with open(log, errors="replace") as calls_made:
                struck = first == -9 if not options.error else any("(INJECTED)" in line for line in calls_made)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        rounds += 1
        for problem in found:
            print(f"call {number}: {problem}", flush=True)
        broken += bool(found)
        # No thread makes so many calls.
        quiet = 0 if struck else quiet + 1
        if quiet >= 3:
            break
    print(f"script/crash: {rounds} rounds, {broken} with a broken promise")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
