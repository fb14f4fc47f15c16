import CRPCTransport
import Foundation
import SessionSupport
import Testing

@testable import AriaRPC
@testable import RPCListener

/// What a client sees on the wire.
@Suite(
    "A listener", .timeLimit(.minutes(1)),
    .enabled(if: crpc_load() == nil, "libmicrohttpd12 and libwslay1 are not installed"))
struct ListenerTests {
    private static let version = #"{"id":1,"method":"aria2.getVersion"}"#
    private static let secret = "a-secret-of-sixteen"

    private static func version(_ token: String) -> String {
        #"{"id":1,"method":"aria2.getVersion","params":["token:\#(token)"]}"#
    }

    // MARK: - HTTP

    @Test("A connection answers one request after another")
    func requests() throws {
        let running = try RunningListener()
        let client = try running.connect()
        for _ in 0..<3 {
            client.post(Self.version)
            let response = try #require(client.readResponse())
            #expect(response.status == 200)
            #expect(response.body.contains("1.36.0"))
        }
    }

    @Test("A wrong token is answered a second later, and other connections do not wait for it")
    func wrongToken() throws {
        let running = try RunningListener(secret: Self.secret)
        var early = Duration.seconds(1)
        // One that waits for the other connection does so each time, a busy machine does not.
        for _ in 0..<20 where early >= .milliseconds(900) {
            let (wrong, right) = (try running.connect(), try running.connect())
            let start = ContinuousClock.now
            wrong.post(Self.version("guess"))
            right.post(Self.version(Self.secret))
            #expect(try #require(right.readResponse()).status == 200)
            early = ContinuousClock.now - start
            let response = try #require(wrong.readResponse())
            #expect(response.status == 400)
            #expect(response.body.contains(AriaErrors.unauthorised))
            #expect(ContinuousClock.now - start >= .milliseconds(900))
        }
        #expect(early < .milliseconds(900))
    }

    @Test("A missing token is answered like a wrong one")
    func missingToken() throws {
        let running = try RunningListener(secret: Self.secret)
        let client = try running.connect()
        let start = ContinuousClock.now
        client.post(Self.version)
        let response = try #require(client.readResponse())
        #expect(response.status == 400)
        #expect(response.body.contains(AriaErrors.unauthorised))
        #expect(ContinuousClock.now - start >= .milliseconds(900))
    }

    @Test("A long answer is compressed for a client that reads gzip, and no short one")
    func compression() throws {
        let running = try RunningListener()
        let client = try running.connect()
        let call = #"{"id":1,"method":"aria2.getGlobalOption"}"#
        client.post(call)
        let plain = try #require(client.readResponse()).body
        client.post(call, fields: "Accept-Encoding: deflate, GZIP;q=0.8\r\n")
        let head = try #require(client.readHead())
        #expect(head.contains("Content-Encoding: gzip\r\n") && head.contains("Vary: Accept-Encoding\r\n"))
        let length = try #require(head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) })
        let bytes = try #require(client.read(length))
        #expect(length < plain.utf8.count / 2)
        #expect(try Self.decompressed(bytes) == plain)
        for (body, field) in [(Self.version, "gzip"), (call, "gzip;q=0"), (call, "gzip ; q = 0"), (call, "br")] {
            client.post(body, fields: "Accept-Encoding: \(field)\r\n")
            let head = try #require(client.readHead())
            #expect(!head.contains("Content-Encoding"))
            // A cache may keep a plain answer too.
            #expect(head.contains("Vary: Accept-Encoding") == (body == call))
            let length = try #require(head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) })
            _ = client.read(length)
        }
    }

    @Test("A token in the header counts for every call of the request")
    func bearer() throws {
        let running = try RunningListener(secret: Self.secret)
        let client = try running.connect()
        client.post("[" + Self.version + "," + Self.version + "]", fields: "Authorization: Bearer \(Self.secret)\r\n")
        #expect(try #require(client.readResponse()).body.components(separatedBy: "1.36.0").count == 3)
    }

    @Test(
        "Another Host and a page of another site are refused",
        arguments: [
            "Host: evil.example\r\n", "Host: 127.0.0.1\r\nOrigin: https://evil.example\r\n",
            "Host: 127.0.0.1\r\nOrigin: null\r\n",
        ])
    func strangers(fields: String) throws {
        let running = try RunningListener()
        let client = try running.connect()
        let body = Self.version
        client.send("POST /jsonrpc HTTP/1.1\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(try #require(client.readResponse()).status == 403)
    }

    @Test("A request of 3 MiB is refused by its length")
    func longRequest() throws {
        let running = try RunningListener()
        let client = try running.connect()
        client.send("POST /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(3 << 20)\r\n\r\n")
        #expect(try #require(client.readResponse()).status == 413)
    }

    @Test("A request of 3 MiB without a length ends its connection, and no other one")
    func longPieces() throws {
        let running = try RunningListener()
        let (client, other) = (try running.connect(), try running.connect())
        client.send("POST /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        let piece = "10000\r\n" + String(repeating: " ", count: 65_536) + "\r\n"
        for _ in 0..<48 { guard client.send(piece) else { break } }
        #expect(client.readResponse() == nil)
        other.post(Self.version)
        #expect(try #require(other.readResponse()).status == 200)
    }

    @Test("Where there is no room, the connection that has waited longest yields, and none that is being answered")
    func manyConnections() throws {
        let running = try RunningListener(secret: Self.secret)
        let socket = try running.connect()
        #expect(socket.upgrade())
        let late = try running.connect()
        late.post(Self.version("wrong"))
        let clients = try (2..<Int(RPCListener.connectionLimit)).map { _ in
            let client = try running.connect()
            client.post(Self.version(Self.secret))
            #expect(client.readResponse()?.status == 200)
            return client
        }
        let later = try running.connect()
        later.post(Self.version(Self.secret))
        #expect(later.readResponse()?.status == 200)
        #expect(clients[0].readResponse() == nil)
        clients[9].post(Self.version(Self.secret))
        #expect(clients[9].readResponse()?.status == 200)
        #expect(late.readResponse()?.status == 400)
        socket.sendText(Self.version(Self.secret))
        #expect(socket.readText() != nil)
    }

    @Test(
        "Halves of requests yield to others",
        arguments: [
            "POST /jsonrpc HTTP/1.1\r\nHost:", "POST /jsonrpc HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{",
        ])
    func halves(text: String) throws {
        let running = try RunningListener()
        let idle = try running.connect()
        idle.post(Self.version)
        #expect(idle.readResponse()?.status == 200)
        let halves = try (0..<300).map { _ in
            let client = try running.connect()
            client.send(text)
            return client
        }
        let client = try running.connect()
        client.post(Self.version)
        #expect(client.readResponse()?.status == 200)
        idle.post(Self.version)
        #expect(idle.readResponse()?.status == 200)
        withExtendedLifetime(halves) {}
    }

    @Test("Another machine has some of the connections at most")
    func connectionsOfAnAddress() throws {
        let running = try RunningListener(secret: Self.secret, at: .tcp(host: "0.0.0.0", port: 0))
        let clients = try (0..<Int(RPCListener.addressLimit)).map { _ in
            let client = try running.connect()
            client.post(Self.version(Self.secret))
            #expect(client.readResponse()?.status == 200)
            return client
        }
        let further = try running.connect()
        further.post(Self.version(Self.secret))
        #expect(further.readResponse() == nil)
        clients[0].post(Self.version(Self.secret))
        #expect(clients[0].readResponse()?.status == 200)
    }

    @Test("A thousand connections, one after another, are all served")
    func manyInTurn() throws {
        let running = try RunningListener()
        for _ in 0..<1_000 {
            let client = try running.connect()
            client.post(Self.version)
            #expect(client.readResponse()?.status == 200)
            client.leave()
        }
    }

    @Test("A client that stops the service has its answer first")
    func shutdown() throws {
        let running = try RunningListener()
        let client = try running.connect()
        client.post(#"{"id":1,"method":"aria2.shutdown"}"#)
        #expect(try #require(client.readResponse()).body.contains("OK"))
        running.stops.wait { $0 > 0 ? () : nil }
        client.post(Self.version)
        #expect(client.readResponse() != nil)
        #expect(running.stops.withLock { $0 } == 1)
    }

    @Test("A listener closes while answers wait")
    func closingWhileLate() throws {
        let running = try RunningListener(secret: Self.secret)
        let clients = try (0..<8).map { _ in try running.connect() }
        for client in clients { client.post(Self.version("guess")) }
        // The first answer shows that the others wait too.
        #expect(try #require(clients[0].readResponse()).status == 400)
        clients[0].post(Self.version("guess"))
        running.close()
    }

    @Test("A socket of the file system is its user's alone, and a dead one is replaced")
    func unixSocket() throws {
        let path = NSTemporaryDirectory() + "rpc-\(UUID().uuidString).sock"
        defer { unlink(path) }
        for _ in 0..<2 {
            let running = try RunningListener(at: .unix(path: path))
            var status = stat()
            #expect(lstat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            let client = try #require(RawClient(path: path))
            client.owner = running
            client.post(Self.version)
            #expect(try #require(client.readResponse()).status == 200)
            #expect(throws: ListenerProblem.self) { _ = try RunningListener(at: .unix(path: path)) }
            client.owner = nil
        }
    }

    // MARK: - WebSocket

    @Test("A WebSocket answers calls and tells notifications")
    func webSocket() throws {
        let running = try RunningListener()
        let client = try running.connect()
        #expect(client.upgrade())
        client.sendText(Self.version)
        #expect(try #require(client.readText()).contains("1.36.0"))
        running.news.tell(.complete, "00000000000000aa")
        let text = try #require(client.readText())
        #expect(text == #"{"jsonrpc":"2.0","method":"aria2.onDownloadComplete","params":[{"gid":"00000000000000aa"}]}"#)
    }

    @Test("The last WebSocket ends the collection of notifications")
    func newsEnds() throws {
        let running = try RunningListener()
        do {
            let client = try running.connect()
            #expect(client.upgrade())
            running.news.tell(.start, "1")
            #expect(client.readText() != nil)
        }
        running.news.waitForEnd()
    }

    @Test("A wrong token delays the calls behind it on the same WebSocket")
    func lateCalls() throws {
        let running = try RunningListener(secret: Self.secret)
        let client = try running.connect()
        #expect(client.upgrade())
        client.sendText(Self.version("guess"))
        client.sendText(Self.version(Self.secret))
        #expect(try #require(client.readText()).contains(AriaErrors.unauthorised))
        #expect(try #require(client.readText()).contains("1.36.0"))
    }

    @Test("A token in the address counts for every call")
    func tokenInAddress() throws {
        let running = try RunningListener(secret: Self.secret)
        let client = try running.connect()
        #expect(client.upgrade("/jsonrpc?token=\(Self.secret)"))
        client.sendText(Self.version)
        #expect(try #require(client.readText()).contains("1.36.0"))
    }

    @Test("Half a frame waits for its other half")
    func halfFrame() throws {
        let running = try RunningListener()
        let (client, other) = (try running.connect(), try running.connect())
        #expect(client.upgrade() && other.upgrade())
        let frame = RawClient.frame(1, Array(Self.version.utf8))
        client.send(Array(frame.prefix(9)))
        other.sendText(Self.version)
        #expect(other.readText() != nil)
        client.send(Array(frame.dropFirst(9)))
        #expect(try #require(client.readText()).contains("1.36.0"))
    }

    @Test("A frame without a mask ends its WebSocket")
    func wrongFrame() throws {
        let running = try RunningListener()
        let client = try running.connect()
        #expect(client.upgrade())
        client.send([0x81, 0x02, 0x7B, 0x7D])
        #expect(client.readText() == nil)
    }

    @Test("A message that is too long ends its WebSocket")
    func longMessage() throws {
        let running = try RunningListener()
        let client = try running.connect()
        #expect(client.upgrade())
        client.send(RawClient.frame(1, [UInt8](repeating: 0x20, count: 3 << 20)))
        #expect(client.readText() == nil)
    }

    @Test("Pings without a reader cost a buffer, and other WebSockets nothing")
    func pingFlood() throws {
        let running = try RunningListener()
        let (client, other) = (try running.connect(), try running.connect())
        #expect(client.upgrade() && other.upgrade())
        let ping = RawClient.frame(9, [UInt8](repeating: 1, count: 100))
        client.send(Array(repeatElement(ping, count: 5_000).joined()))
        other.sendText(Self.version)
        #expect(try #require(other.readText()).contains("1.36.0"))
        // Those that are read at last are all answered.
        for _ in 0..<5_000 { #expect(client.readFrame()?.opcode == 10) }
    }

    @Test("Calls that come behind the request itself are answered")
    func earlyCall() throws {
        let running = try RunningListener()
        let client = try running.connect()
        client.send(
            Array(
                ("GET /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").utf8)
                + RawClient.frame(1, Array(Self.version.utf8)))
        #expect(try #require(client.readHead()).hasPrefix("HTTP/1.1 101"))
        #expect(try #require(client.readText()).contains("1.36.0"))
    }

    @Test("WebSockets end with their listener")
    func closing() throws {
        let running = try RunningListener()
        let client = try running.connect()
        #expect(client.upgrade())
        client.sendText(Self.version)
        #expect(client.readText() != nil)
        running.close()
        #expect(client.readFrame()?.opcode == 8)
        #expect(client.readFrame() == nil)
    }

    private static func decompressed(_ bytes: [UInt8]) throws -> String {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // It is shorter than a pipe.
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    // MARK: - Libraries

    @Test("The declarations of both libraries are those of their headers")
    func declarations() throws {
        let headers = ["/usr/include/microhttpd.h", "/usr/include/wslay/wslay.h"]
        guard headers.allSatisfy(FileManager.default.fileExists) else { return }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/CRPCTransport").path
        for file in ["CRPCLibraries.c", "CRPCServer.c", "CRPCSocket.c"] {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "cc", "-std=gnu11", "-Wall", "-Werror", "-DNETDASH_CHECK_HEADERS", "-fsyntax-only",
                "-I\(folder)/include", "\(folder)/\(file)",
            ]
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(file)")
        }
    }
}
