"""A line with latency and loss between two network namespaces.

The kernel's own tool for that, netem, is not in every kernel. Here each side has a tun device, and a thread carries packets
from one to the other, late, and drops some: TCP on both sides is the kernel's and sees what a real line would show it.
"""

import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import threading
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
MTU = 1500
SERVER, CLIENT = "10.98.0.1", "10.98.0.2"


class Unavailable(Exception):
    """This machine allows no namespaces or devices."""


class LossyLine:
    def __init__(
        self, round_trip: float, loss: float, seed: int = 1, loss_back: float = 0, jitter: float = 0,
        rate: float | None = None
    ):
        self.delay = round_trip / 2
        """Seconds that each packet takes."""
        self.loss = loss
        """What part of the packets towards the client is dropped."""
        self.loss_back = loss_back
        """What part of those towards the server is."""
        self.jitter = jitter
        """Seconds that a packet may take more, none of them overtaking another."""
        self.rate = rate
        """Bytes a second towards the client; as many as come without it."""
        self._random = random.Random(seed)
        self._names = [f"netdash-{os.getpid()}-{side}" for side in ("server", "client")]
        self._devices: list[int] = []
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)

    @property
    def server(self) -> list[str]:
        """What a command on the server's side begins with."""
        return ["ip", "netns", "exec", self._names[0]]

    @property
    def client(self) -> list[str]:
        """What a command on the client's side begins with."""
        return ["ip", "netns", "exec", self._names[1]]

    def __enter__(self) -> "LossyLine":
        try:
            for name, address, peer in zip(self._names, (SERVER, CLIENT), (CLIENT, SERVER)):
                self._make_side(name, address, peer)
        except (OSError, subprocess.CalledProcessError) as error:
            self._remove()
            raise Unavailable(f"network namespaces and tun devices are not allowed here: {error}") from error
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join()
        self._remove()

    def _make_side(self, name: str, address: str, peer: str) -> None:
        def ip(*words: str) -> None:
            subprocess.run(["ip", *words], check=True, capture_output=True)

        ip("netns", "add", name)
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        self._devices.append(device)
        interface = f"nd{os.getpid() % 1_000_000}{len(self._devices)}"
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", interface.encode(), IFF_TUN | IFF_NO_PI))
        ip("link", "set", interface, "netns", name)
        ip("-n", name, "address", "add", address, "peer", peer, "dev", interface)
        ip("-n", name, "link", "set", interface, "mtu", str(MTU), "txqueuelen", "10000", "up")
        ip("-n", name, "link", "set", "lo", "up")

    def _remove(self) -> None:
        for device in self._devices:
            os.close(device)
        self._devices.clear()
        for name in self._names:
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)

    def _carry(self) -> None:
        """Packets wait in the order in which they came."""
        server, client = self._devices
        latest = {server: 0.0, client: 0.0}
        line_is_free = 0.0
        waiting: list[tuple[float, int, int, bytes]] = []
        number = 0
        while not self._ends.is_set():
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, target, packet = heapq.heappop(waiting)
                try:
                    os.write(target, packet)
                except OSError:
                    pass  # A full device drops packets, as a router does.
            pause = min(waiting[0][0] - now, 0.1) if waiting else 0.1
            ready, _, _ = select.select([server, client], [], [], max(pause, 0))
            now = time.monotonic()
            for source in ready:
                for packet in read_all(source):
                    if self._random.random() < (self.loss if source == server else self.loss_back):
                        continue
                    number += 1
                    begins = now
                    if self.rate and source == server:
                        # A router has no room for more than a second's packets.
                        if line_is_free > now + 1:
                            continue
                        begins = line_is_free = max(line_is_free, now) + len(packet) / self.rate
                    arrives = begins + self.delay + self.jitter * self._random.random()
                    latest[source] = arrives = max(arrives, latest[source])
                    heapq.heappush(waiting, (arrives, number, client if source == server else server, packet))


def read_all(device: int):
    for _ in range(64):
        try:
            yield os.read(device, MTU + 64)
        except BlockingIOError:
            return
