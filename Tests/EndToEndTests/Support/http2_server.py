"""A server of HTTP/2 over TLS, on a free port of loopback.

    http2_server.py CERTIFICATE KEY

Its first line says the port. Each further line is a request: the connection's number, the path, the first byte that was
asked for. `/whole/N/NAME` has N bytes; `/reset/N/K/NAME` resets the stream behind K of them, once; `/away/N/K/NAME` says
farewell there and closes the connection, once; `/empty/N/K/NAME` sends DATA frames without a byte behind K bytes, and pings,
for as long as the stream is there. The byte at i is i * 31 + (i >> 8) modulo 256.
"""

import asyncio
import ssl
import sys

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

broken: set[str] = set()
"""The paths that have kept their threat."""
connections = 0


def content(start: int, end: int) -> bytes:
    return bytes((index * 31 + (index >> 8)) & 0xFF for index in range(start, end))


class Answer:
    """What is left to send of one stream."""

    def __init__(self, path: str, start: int):
        kind, size, *rest = path.strip("/").split("/")
        self.path, self.position, self.end = path, start, int(size)
        self.fault, self.breaks_at = None, self.end
        if kind == "empty":
            self.fault, self.breaks_at = kind, int(rest[0])
        if kind in ("reset", "away") and path not in broken:
            self.fault, self.breaks_at = kind, int(rest[0])


class Connection(asyncio.Protocol):
    def __init__(self):
        global connections
        connections += 1
        self.number = connections
        self.engine = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.answers: dict[int, Answer] = {}

    def connection_made(self, transport):
        self.transport = transport
        self.engine.initiate_connection()
        self.flush()

    def data_received(self, data):
        try:
            events = self.engine.receive_data(data)
        except h2.exceptions.ProtocolError:
            self.flush()
            return self.transport.close()
        for event in events:
            if isinstance(event, h2.events.RequestReceived):
                self.begin(event.stream_id, {name.decode(): value.decode() for name, value in event.headers})
            elif isinstance(event, h2.events.StreamReset):
                self.answers.pop(event.stream_id, None)
            elif isinstance(event, h2.events.DataReceived):
                self.engine.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        for stream in list(self.answers):
            if stream in self.answers:
                self.send(stream)
        self.flush()

    def begin(self, stream, fields):
        path, range_field = fields[":path"], fields.get("range", "")
        start = int(range_field.removeprefix("bytes=").split("-")[0]) if range_field else 0
        print(self.number, path, start, flush=True)
        answer = Answer(path, start)
        head = [(":status", "206" if range_field else "200"), ("etag", '"one"'), ("accept-ranges", "bytes"),
                ("content-length", str(answer.end - start))]
        if range_field:
            head.append(("content-range", f"bytes {start}-{answer.end - 1}/{answer.end}"))
        self.engine.send_headers(stream, head)
        self.answers[stream] = answer

    def send(self, stream):
        answer = self.answers[stream]
        while answer.position < answer.breaks_at:
            room = min(self.engine.local_flow_control_window(stream), self.engine.max_outbound_frame_size)
            count = min(room, answer.breaks_at - answer.position)
            if count <= 0:
                return
            self.engine.send_data(stream, content(answer.position, answer.position + count))
            answer.position += count
        del self.answers[stream]
        if answer.fault is None:
            return self.engine.end_stream(stream)
        if answer.fault == "empty":
            self.answers[stream] = answer
            answer.fault = "emptying"
            return self.go_on_without_bytes(stream)
        if answer.fault == "emptying":
            self.answers[stream] = answer
            return None
        broken.add(answer.path)
        if answer.fault == "reset":
            return self.engine.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        self.engine.close_connection()
        self.answers.clear()
        self.flush()
        self.transport.close()

    def go_on_without_bytes(self, stream):
        if stream not in self.answers or self.transport.is_closing():
            return
        self.engine.send_data(stream, b"")
        self.engine.ping(b"12345678")
        self.flush()
        asyncio.get_running_loop().call_later(0.02, self.go_on_without_bytes, stream)

    def flush(self):
        self.transport.write(self.engine.data_to_send())


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2"])
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
