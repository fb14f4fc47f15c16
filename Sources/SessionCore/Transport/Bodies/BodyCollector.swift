import SessionSupport

/// Handles the responses of data and upload tasks: the body stays in memory or is passed on in pieces.
///
/// Every final status is an answer here; whether it is an error is for the response serializer to say. Only while another
/// try may follow one that asks to come back later is it none, see ``Transfer/nextTry(after:)``.
final class BodyCollector: ResponseHandler {
    private let limit: Int?
    /// Whether somebody wants to see the chunks of a body that is collected; asked for each head, and when somebody
    /// may have begun.
    private let wantsChunks: () -> Bool
    private var memory: MemorySink?
    private var stream: StreamSink?
    private var receivedBefore: Int64 = 0
    private var attempt: Attempt?
    private(set) var expected: Int64?
    private var lengthIsVerifiable = true

    /// A limit collects in memory; nil passes the body on.
    init(limit: Int?, wantsChunks: @escaping () -> Bool = { false }) {
        self.limit = limit
        self.wantsChunks = wantsChunks
    }

    var received: Int64 { receivedBefore + (attempt?.received ?? 0) }
    var resumedAt: Int64 { 0 }
    var resumability: Resumability { .no }
    var resumeRefusal: String? { nil }
    var takesEveryStatus: Bool { true }
    var canRestart: Bool { stream?.hasDelivered != true }

    func prepare(_ done: @escaping (Preparation) -> Void) { done(.ready) }

    func additionalFields() -> HeaderFields { HeaderFields() }

    func judge(_ head: ResponseHead, of attempt: Attempt) {
        self.attempt = attempt
        receivedBefore = 0
        expected = head.headers["Content-Length"].flatMap { ByteText.decimal($0) }
        lengthIsVerifiable =
            expected != nil
            || (try? BodyLength(head, method: attempt.transfer.request.method))?.isVerifiable ?? true
        if let limit {
            let sink = MemorySink(limit: limit, expected: expected)
            memory = sink
            attempt.sink = sink
            if wantsChunks() { passOnChunks(of: sink, attempt) }
        } else {
            let sink = stream ?? StreamSink()
            stream = sink
            attempt.sink = sink
        }
        attempt.verdict = .accepted
    }

    func endsWithRedirect(_ head: ResponseHead) -> Preparation { .nothingToTransfer }

    private func passOnChunks(of memory: MemorySink, _ attempt: Attempt) {
        let chunks = stream ?? StreamSink()
        stream = chunks
        let observed = ObservedMemorySink(memory: memory, chunks: chunks)
        if let decoding = attempt.sink as? DecodingSink { decoding.end = observed } else { attempt.sink = observed }
    }

    func bodyEnded() -> Attempt.Next {
        receivedBefore = received
        attempt = nil
        return .complete
    }

    func attemptBroke() {
        receivedBefore = received
        attempt = nil
    }

    func restart(keepingPart: Bool) {
        receivedBefore = 0
        memory = nil
    }

    func flush() {}

    func finish(_ done: @escaping (SessionError?) -> Void) { done(nil) }

    func close(keeps: Bool, _ done: @escaping () -> Void) { done() }

    var result: BodyResult { BodyResult(lengthWasVerified: lengthIsVerifiable) }

    func takeBody() -> [UInt8] {
        defer { memory = nil }
        return memory?.bytes ?? []
    }

    func takePendingData() -> [UInt8]? { stream?.takePending() }

    /// Looks for an observer; one that begins in the middle of a body gets what comes from here on.
    func lookForObserver() {
        guard stream == nil, let memory, let attempt, wantsChunks(),
            attempt.sink.map({ ($0 as? DecodingSink)?.end ?? $0 }) === memory
        else { return }
        passOnChunks(of: memory, attempt)
    }

    func consumed(_ count: Int) -> Bool { stream?.consumed(count) ?? true }
}

/// Collects a body while somebody looks at its chunks, no faster than those are taken.
private final class ObservedMemorySink: BodySink {
    private let memory: MemorySink
    private let chunks: StreamSink

    init(memory: MemorySink, chunks: StreamSink) {
        self.memory = memory
        self.chunks = chunks
    }

    func receive(_ chunk: UnsafeRawBufferPointer) -> SinkResult {
        guard chunks.hasRoom else { return .wait }
        let result = memory.receive(chunk)
        return result == .received ? chunks.receive(chunk) : result
    }
}
