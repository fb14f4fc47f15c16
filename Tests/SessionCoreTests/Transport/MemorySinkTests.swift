import Foundation
import SessionSupport
import Testing

@testable import SessionCore

/// Bodies in memory: how they grow, and that they lie there once.
@Suite("Bodies in memory", .timeLimit(.minutes(1)))
struct MemorySinkTests {
    private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    /// A cache that has one answer for every request.
    private final class CacheOfOne: ResponseCache {
        private let kept = Locked<CachedResponse?>(nil)

        func store(_ response: CachedResponse) { kept.withLock { $0 = response } }

        func response(for request: TransferRequest) -> CachedResponse? { kept.withLock { $0 } }

        func removeResponse(for request: TransferRequest) { kept.withLock { $0 = nil } }
    }

    private func fill(_ sink: MemorySink, _ bytes: [UInt8], by length: Int) -> SinkResult {
        var result = SinkResult.received
        for start in stride(from: 0, to: bytes.count, by: length) where result == .received {
            result = Array(bytes[start..<min(start + length, bytes.count)]).withUnsafeBytes { sink.receive($0) }
        }
        return result
    }

    @Test(
        "What is collected is what came, whatever was announced",
        arguments: [nil, 0, 10, 300_000, 300_001, 5_000_000] as [Int64?], [1, 1_000, 16_384, 300_000])
    func content(announced: Int64?, length: Int) {
        let bytes = length == 1 ? Array(Self.bytes.prefix(5_000)) : Self.bytes
        let sink = MemorySink(limit: 1 << 20, expected: announced)
        #expect(fill(sink, bytes, by: length) == .received)
        let body = sink.takeBody()
        #expect(body.count == bytes.count && body.bytes == bytes)
        #expect(sink.takeBody().count == 0)
    }

    @Test("A body beyond the limit fails, or ends there", arguments: [false, true])
    func limit(truncates: Bool) {
        let sink = MemorySink(limit: 100_000, truncates: truncates, expected: 300_000)
        let result = fill(sink, Self.bytes, by: 16_384)
        if truncates {
            #expect(result == .enough && sink.takeBody().bytes == Array(Self.bytes.prefix(100_000)))
        } else if case .failed(let error) = result {
            #expect(error.code == .bodyTooLarge)
        } else {
            Issue.record("\(result)")
        }
    }

    @Test("A length that no memory holds is a lie that costs nothing")
    func lie() {
        let sink = MemorySink(limit: .max, expected: .max)
        let piece = [UInt8](repeating: 1, count: 1 << 20)
        for _ in 0..<3 { #expect(piece.withUnsafeBytes { sink.receive($0) } == .received) }
        #expect(sink.takeBody().count == 3 << 20)
    }

    @Test("A body lies in memory once at its end: the completion and its object are what was collected")
    func once() async throws {
        let fixture = ManagerFixture()
        let task = try fixture.manager.dataTask(
            with: fixture.request, options: TaskOptions(responseSerializer: HTTPResponseSerializer()),
            completionHandler: nil)
        task.resume()
        let body = CollectedBody(Self.bytes)
        let outcome = TransferOutcome(head: ResponseHead(statusCode: 200, url: "http://h/"))
        fixture.engine.publish(.finished(task.id, outcome, body: body))
        let completion = await task.completion()
        func address(_ data: Data) -> UnsafeRawPointer? { data.withUnsafeBytes { $0.baseAddress } }
        let start = body.withUnsafeBytes { $0.baseAddress }
        #expect(completion.data == Data(Self.bytes) && address(completion.data) == start)
        #expect((completion.object as? Data).flatMap(address) == start)
    }

    @Test("It goes with the last that has it, and what is changed is a copy")
    func lifetime() {
        weak var owner: CollectedBody?
        var data: Data?
        do {
            let body = CollectedBody(Self.bytes)
            (owner, data) = (body, Data(body))
        }
        #expect(owner != nil)
        var changed = data ?? Data()
        changed[0] = 255
        changed.append(1)
        #expect(data == Data(Self.bytes) && changed.count == Self.bytes.count + 1 && changed[0] == 255)
        data = nil
        #expect(owner == nil)
        #expect(Data(CollectedBody([1, 2])) == Data([1, 2]) && Data(CollectedBody([])).isEmpty)
    }

    @Test("An answer of the cache is not copied either")
    func cached() async throws {
        let fixture = ManagerFixture()
        let cache = CacheOfOne()
        fixture.manager.responseCache = cache
        let data = Data(Self.bytes)
        cache.store(
            CachedResponse(
                request: fixture.request,
                head: ResponseHead(
                    statusCode: 200, headers: ["Cache-Control": "max-age=600"], url: fixture.request.url),
                data: data))
        var request = fixture.request
        request.cachePolicy = .returnCacheDataDontLoad
        let completion = try await fixture.manager.data(for: request)
        #expect(completion.isFromCache && completion.data == data)
        #expect(completion.data.withUnsafeBytes { $0.baseAddress } == data.withUnsafeBytes { $0.baseAddress })
    }

    @Test("A stream is worth a delivery once half of its window waits, or all that its receiver allows")
    func halves() {
        let stream = StreamSink()
        func receive(_ count: Int) -> SinkResult {
            [UInt8](repeating: 7, count: count).withUnsafeBytes { stream.receive($0) }
        }
        #expect(!stream.isHalfFull)
        #expect(receive(400 << 10) == .received && !stream.isHalfFull)
        #expect(receive(112 << 10) == .received && stream.isHalfFull)
        #expect(stream.takePending()?.count == 512 << 10 && !stream.isHalfFull)
        // The receiver has read nothing yet, so the other half is all that it allows.
        #expect(receive(500 << 10) == .received && !stream.isHalfFull)
        #expect(receive(100 << 10) == .received && stream.isHalfFull && !stream.hasRoom)
        #expect(stream.takePending()?.count == 600 << 10 && receive(1) == .wait)
        #expect(!stream.isHalfFull, "there is nothing to deliver")
        #expect(stream.consumed(512 << 10) && receive(500 << 10) == .received)
        #expect(stream.isHalfFull && !stream.hasRoom, "less than half, but the transfer waits")
    }
}
