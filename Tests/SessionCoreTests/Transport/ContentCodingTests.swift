import LoopbackServer
import SessionSupport
import Testing

@testable import SessionCore

/// Bodies in content codings: asked for where somebody wants them, and undone within limits.
@Suite("Content codings", .timeLimit(.minutes(1)))
struct ContentCodingTests {
    /// Ten times `hello `.
    private static let text = String(repeating: "hello ", count: 10)
    private static let bare: [UInt8] = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x20, 0x8B, 0x04, 0x00]
    private static let gzip: [UInt8] =
        [0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03] + bare
        + [0xE4, 0x4D, 0xD0, 0x59, 0x3C, 0x00, 0x00, 0x00]
    private static let deflate: [UInt8] = [0x78, 0x9C] + bare + [0xA6, 0xC0, 0x16, 0x09]
    private static let brotli: [UInt8] = [
        0x1B, 0x3B, 0x00, 0x00, 0x24, 0x40, 0x6A, 0x90, 0x67, 0xEA, 0xF0, 0x9C, 0x0E, 0x00,
    ]
    private static let zstd: [UInt8] = [
        0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, 0x65, 0x00, 0x00, 0x30, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x20, 0x01, 0x00,
        0xCB, 0x59, 0x8A, 0x81, 0x68, 0xC7, 0xF0,
    ]

    private static func body(in coding: ContentCoding) -> [UInt8] {
        switch coding {
        case .gzip: gzip
        case .deflate: deflate
        case .brotli: brotli
        case .zstd: zstd
        }
    }

    /// Blocks of zeros, 128 KiB in four bytes each.
    private static func bomb(blocks: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50]
        for block in 1...blocks {
            let header = (block == blocks ? 1 : 0) | 1 << 1 | (128 << 10) << 3
            bytes += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16), 0]
        }
        return bytes
    }

    /// Makes whoever sends wait now and then.
    private final class SlowSink: BodySink {
        var bytes: [UInt8] = []
        var calls = 0

        func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
            calls += 1
            if calls % 2 == 1 { return .wait }
            bytes += chunk
            return .received
        }
    }

    /// Gives bytes in pieces of a length to a sink, and offers again what had to wait.
    private func feed(_ sink: any BodySink, _ bytes: [UInt8], by length: Int) -> SinkResult {
        for start in stride(from: 0, to: bytes.count, by: length) {
            let piece = Array(bytes[start..<min(start + length, bytes.count)])
            var result = SinkResult.wait
            while result == .wait { result = piece.withUnsafeBytes { sink.receive($0) } }
            guard result == .received else { return result }
        }
        return .received
    }

    @Test(
        "A body is undone whole, however it is cut into pieces and however often the receiver makes it wait",
        arguments: ContentCoding.allCases)
    func pieces(coding: ContentCoding) throws {
        let bytes = Self.body(in: coding)
        for length in 1...bytes.count {
            let slow = SlowSink()
            let sink = try DecodingSink.undoing([coding], before: slow)
            #expect(feed(sink, bytes, by: length) == .received)
            #expect(String(decoding: slow.bytes, as: UTF8.self) == Self.text)
            #expect((sink as? DecodingSink)?.isComplete == true)
        }
        for length in 1..<bytes.count {
            let sink = try DecodingSink.undoing([coding], before: MemorySink(limit: 1 << 20))
            if feed(sink, Array(bytes.prefix(length)), by: 5) == .received {
                #expect((sink as? DecodingSink)?.isComplete == false, "\(length)")
            }
        }
    }

    @Test("Bare deflate, several bodies of gzip, what follows one, two codings and an empty body are read")
    func forms() throws {
        let bareTwice = Self.text + Self.text
        for (codings, bytes, expected) in [
            ([ContentCoding.deflate], Self.bare, Self.text), ([.gzip], Self.gzip + Self.gzip, bareTwice),
            ([.gzip], Self.gzip + [0, 0, 7], Self.text), ([.gzip, .gzip], Self.gzip, nil), ([.gzip], [], ""),
            ([.zstd], Self.zstd + Self.zstd, bareTwice), ([.brotli], Self.brotli + [1, 2], Self.text),
        ] {
            let memory = MemorySink(limit: 1 << 20)
            let sink = try DecodingSink.undoing(codings, before: memory)
            let result = feed(sink, bytes, by: 7)
            #expect((result == .received) == (expected != nil), "\(codings)")
            guard let expected else { continue }
            #expect(String(decoding: memory.takeBody().bytes, as: UTF8.self) == expected)
            #expect((sink as? DecodingSink)?.isComplete == true)
        }
        var head = ResponseHead(statusCode: 200)
        for (value, expected) in [
            ("gzip", [ContentCoding.gzip]), ("X-GZip, identity", [.gzip]), ("br, zstd", [.brotli, .zstd]),
            ("compress", nil), ("gzip, gzip, gzip", nil),
        ] {
            head.headers["Content-Encoding"] = value
            #expect((try? ContentCoding.codings(of: head)) == expected, "\(value)")
        }
    }

    @Test("A body may grow a hundredfold, or to 16 MiB, whichever is more")
    func limit() throws {
        for (sent, unpacked, isRefused) in [
            (1, 16 << 20, false), (1, (16 << 20) + 1, true), (1 << 20, 100 << 20, false), (1 << 20, 101 << 20, true),
        ] {
            #expect((DecodingLimit(sent: Int64(sent), unpacked: Int64(unpacked)).refusal != nil) == isRefused)
        }
    }

    // MARK: - On the wire

    private func respond(_ bytes: [UInt8], _ coding: String) -> Behaviour {
        Behaviour.respond(ScriptedResponse(headers: ["Content-Encoding": coding], body: .bytes(bytes)))
    }

    @Test("A data request asks for codings and gets the text; counts are those of the line")
    func wire() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness {
            $0.decodesBodies = true
            $0.maximumRetries = 0
        }
        for coding in ContentCoding.allCases {
            server.setRoute("/" + coding.rawValue, respond(Self.body(in: coding), coding.rawValue))
            let end = harness.outcome(of: harness.add(TransferRequest(url: server.url("/" + coding.rawValue))))
            #expect(end.map { String(decoding: $0.body, as: UTF8.self) } == Self.text, "\(coding)")
            #expect(end?.status.received == Int64(Self.body(in: coding).count))
            #expect(end?.status.expectedToReceive == end?.status.received)
        }
        #expect(Set(server.requests.map { $0.headers["Accept-Encoding"] }) == ["gzip, deflate, br, zstd"])
        var own = TransferRequest(url: server.url("/gzip"))
        own.headers["Accept-Encoding"] = "gzip"
        #expect(harness.outcome(of: harness.add(own))?.body == Self.gzip)
        var range = TransferRequest(url: server.url("/gzip"))
        range.headers["Range"] = "bytes=0-"
        #expect(harness.outcome(of: harness.add(range))?.body == Self.gzip)
        #expect(server.requests.last?.headers["Accept-Encoding"] == nil)
        let plain = try EngineHarness()
        #expect(plain.outcome(of: plain.add(TransferRequest(url: server.url("/gzip"))))?.body == Self.gzip)
        #expect(server.requests.last?.headers["Accept-Encoding"] == nil)
    }

    @Test("Who receives a body piece by piece gets all of one that a single chunk was, and the beginning of a bomb")
    func streamed() async throws {
        let server = LoopbackServer()
        try server.start()
        var configuration = SessionConfiguration()
        configuration.decodesBodies = true
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        for (blocks, code) in [(100, nil), (200, SessionError.Code.bodyTooLarge)] {
            server.setRoute("/x", respond(Self.bomb(blocks: blocks), "zstd"))
            let count = Locked(0)
            var options = TaskOptions()
            options.delivery = .stream { bytes in count.withLock { $0 += bytes.count } }
            let task = try manager.dataTask(
                with: TransferRequest(url: server.url("/x")), downloadProgress: nil, options: options,
                completionHandler: nil)
            task.resume()
            let error = await task.completion().error as? SessionError
            #expect(error?.code == code)
            let received = count.withLock { $0 }
            #expect(code == nil ? received == blocks * 128 << 10 : received <= 16 << 20)
        }
        manager.invalidate(cancellingTasks: true)
    }

    @Test("Nothing of a bomb is unpacked while its task is paused, and no more than somebody reads at other times")
    func paused() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness { $0.decodesBodies = true }
        let gate = try server.gate(named: "rest")
        server.setRoute("/x", respond(Self.bomb(blocks: 100), "zstd").stalling(after: 10, until: gate))
        let id = harness.add(TransferRequest(url: server.url("/x")), sink: .stream)
        let most = (1 << 20) + (64 << 10)
        harness.resume(id)
        #expect(gate.waitForArrivals())
        #expect(harness.suspendAndWait(id))
        gate.release()
        #expect(server.waitForFinishedRequests(count: 1))
        harness.waitForLoop()
        #expect(harness.delivered(id) <= 128 << 10)
        harness.resume(id)
        #expect(harness.waitForDelivery(after: (1 << 20) - 1, id))
        // Nobody has read any of it yet, so that the rest stays packed, before a pause and within it.
        #expect(harness.suspendAndWait(id))
        let before = harness.delivered(id)
        #expect(before <= most)
        harness.engine.submit(.consumed(id, bytes: before))
        harness.waitForLoop()
        #expect(harness.delivered(id) == before)
        var read = before
        harness.resume(id)
        while harness.outcomeIfAny(id) == nil {
            #expect(harness.waitForDelivery(after: read, id))
            let delivered = harness.delivered(id)
            #expect(delivered - read <= most)
            harness.engine.submit(.consumed(id, bytes: delivered - read))
            read = delivered
        }
        #expect(harness.outcomeIfAny(id)?.error == nil)
        #expect(harness.delivered(id) == 100 * 128 << 10)
    }

    @Test("A transfer coding that nobody has asked for is refused before libcurl unpacks a byte")
    func transferCoding() throws {
        let server = LoopbackServer()
        try server.start()
        let harness = try EngineHarness { $0.maximumRetries = 0 }
        server.setRoute("/x", respond(Self.gzip, "identity").framed(.untilClose).header("Transfer-Encoding", "gzip"))
        for id in [harness.download(server.url("/x")), harness.add(TransferRequest(url: server.url("/x")))] {
            let outcome = try #require(harness.outcome(of: id))
            #expect(outcome.error?.code == .badResponse)
            #expect(outcome.error?.message == ResponseErrors.unaskedCoding("gzip"))
            #expect(harness.status(id).received == 0)
        }
        #expect(harness.folder.names == [])
    }

    @Test("A body that is cut, not what it says, or without end is an error")
    func errors() throws {
        let server = LoopbackServer()
        try server.start()
        server.setRoute("/cut", respond(Array(Self.gzip.dropLast(9)), "gzip"))
        server.setRoute("/wrong", respond(Array(Self.text.utf8), "gzip"))
        server.setRoute("/unknown", respond(Self.gzip, "compress"))
        server.setRoute("/bomb", respond(Self.bomb(blocks: 200), "zstd"))
        server.setRoute("/large", respond(Self.bomb(blocks: 16), "zstd"))
        let harness = try EngineHarness {
            $0.decodesBodies = true
            $0.maximumRetries = 0
        }
        for (path, code) in [
            ("/cut", SessionError.Code.truncated), ("/wrong", .badResponse), ("/unknown", .badResponse),
            ("/large", .bodyTooLarge),
        ] {
            let error = harness.outcome(of: harness.add(TransferRequest(url: server.url(path))))?.error
            #expect(error?.code == code, "\(path) \(String(describing: error))")
        }
        let bomb = harness.add(TransferRequest(url: server.url("/bomb")), sink: .memory(limit: .max))
        let error = harness.outcome(of: bomb)?.error
        #expect(error?.code == .bodyTooLarge && error?.message.contains("16 MiB (100 times)") == true)
    }
}
