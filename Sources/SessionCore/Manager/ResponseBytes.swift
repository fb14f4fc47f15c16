public import Foundation
import SessionSupport

/// The body of a response while it arrives, byte by byte; ``chunks`` and ``lines`` read it in larger pieces.
///
/// The transfer waits while the body is not read, so that at most about a mebibyte is buffered, however long the body
/// is. It has one reader at a time; another one goes on where it stopped. The transfer ends when the reader's task is
/// cancelled, or when the body and its iterators are released: leaving a loop early ends it only if the body is not used
/// afterwards, otherwise ``SessionTask/cancel()`` of ``task`` does. An error is thrown after the last byte that arrived.
///
/// ```swift
/// let (body, head) = try await manager.bytes(for: request)
/// print(head.statusCode)
/// for try await line in body.lines { print(line) }
/// ```
public struct ResponseBytes: AsyncSequence, Sendable {
    /// The task, for its progress and to pause it.
    public var task: SessionTask { owner.task }
    /// The body in the pieces in which it arrives.
    public var chunks: some AsyncSequence<Data, any Error> & Sendable { Chunks(owner: owner) }
    /// The body as lines of UTF-8 text without their ends (LF or CR LF).
    public var lines: some AsyncSequence<String, any Error> & Sendable { Lines(owner: owner) }
    private let owner: BodyReader

    init(_ owner: BodyReader) { self.owner = owner }

    /// Starts reading at the byte where the previous iterator stopped.
    public func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

    /// The reader of a body, byte by byte.
    ///
    /// ```swift
    /// let (body, _) = try await manager.bytes(for: request)
    /// var bytes = body.makeAsyncIterator()
    /// let first = try await bytes.next()
    /// print(first ?? 0)
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let owner: BodyReader

        /// Returns the next byte; nil after the last one.
        public mutating func next() async throws -> UInt8? { try await owner.nextByte() }
    }

    /// The body of a response in the pieces in which it arrives.
    struct Chunks: AsyncSequence, Sendable {
        typealias Element = Data
        fileprivate let owner: BodyReader

        /// Starts reading where the previous iterator stopped.
        func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

        /// Reads chunk by chunk.
        struct Iterator: AsyncIteratorProtocol {
            fileprivate let owner: BodyReader

            /// Returns the next chunk; nil after the last one.
            mutating func next() async throws -> Data? { try await owner.nextChunk().map { Data($0) } }
        }
    }

    /// The body of a response as lines of text.
    struct Lines: AsyncSequence, Sendable {
        typealias Element = String
        fileprivate let owner: BodyReader

        /// Starts reading where the previous iterator stopped.
        func makeAsyncIterator() -> Iterator { Iterator(owner: owner) }

        /// Reads line by line.
        struct Iterator: AsyncIteratorProtocol {
            fileprivate let owner: BodyReader

            /// Returns the next line; nil after the last one.
            ///
            /// Throws ``SessionError/Code/bodyTooLarge`` for a line of more than 16 MiB.
            mutating func next() async throws -> String? { try await owner.nextLine() }
        }
    }
}

/// The channel between a transfer and the reader of its body.
///
/// It observes the task independently of the task's own handler, which is the caller's to set. A class because both
/// sides hold it.
final class BodyChannel: Sendable {
    private struct State: Sendable {
        var head: Result<ResponseHead, any Error>?
        var chunks = FIFO<Chunk>()
        /// Set when no more bytes come; an error is thrown once.
        var end: Result<Void, any Error>?
        var headWaiter: CheckedContinuation<ResponseHead, any Error>?
        var waiters: [CheckedContinuation<[UInt8]?, any Error>] = []
    }

    private struct Chunk: Sendable {
        let bytes: [UInt8]
        let consumed: @Sendable () -> Void
    }

    private let state = Locked(State())

    /// Takes a chunk; the closure reports that it was read.
    func feed(_ bytes: [UInt8], _ consumed: @escaping @Sendable () -> Void) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.isEmpty ? nil : state.waiters.removeFirst()
            if waiter == nil { state.chunks.append(Chunk(bytes: bytes, consumed: consumed)) }
            return waiter
        }
        guard let waiter else { return }
        consumed()
        waiter.resume(returning: bytes)
    }

    func hear(_ event: SessionTaskEvent) {
        switch event {
        case .response(let head): answer(.success(head))
        case .completed(let completion):
            if let error = completion.error {
                answer(.failure(error))
            } else {
                let missing = SessionError(.badResponse, ResponseErrors.missing)
                answer(completion.head.map { .success($0) } ?? .failure(missing))
            }
            end(completion.error.map { .failure($0) } ?? .success(()))
        default: break
        }
    }

    private func answer(_ head: Result<ResponseHead, any Error>) {
        let waiter = state.withLock { state in
            if state.head == nil { state.head = head }
            defer { state.headWaiter = nil }
            return state.headWaiter
        }
        waiter?.resume(with: head)
    }

    private func end(_ end: Result<Void, any Error>) {
        let waiters = state.withLock { state in
            state.end = end
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(with: end.map { nil }) }
    }

    /// Returns the head as soon as it has arrived.
    func head() async throws -> ResponseHead {
        try await withCheckedThrowingContinuation { continuation in
            let head = state.withLock { state in
                if state.head == nil { state.headWaiter = continuation }
                return state.head
            }
            if let head { continuation.resume(with: head) }
        }
    }

    /// Returns the next chunk; nil after the last one.
    func next() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            let (chunk, end) = state.withLock { state in
                let chunk = state.chunks.popFirst()
                let end = chunk == nil ? state.end : nil
                if chunk == nil, end == nil { state.waiters.append(continuation) }
                return (chunk, end)
            }
            chunk?.consumed()
            if let chunk { continuation.resume(returning: chunk.bytes) }
            if let end { continuation.resume(with: end.map { nil }) }
        }
    }
}

/// The reading side of a body: its release ends the transfer.
///
/// The bytes that were received and not read are kept here and not in an iterator, so that the next reader goes on with
/// them, whatever it reads. A class because its deinitializer cancels the task.
final class BodyReader: Sendable {
    /// A longer line ends the reading: the sender has no line ends.
    private static let lineLimit = 16 << 20

    let task: SessionTask
    private let channel: BodyChannel
    private let unread = Locked<ArraySlice<UInt8>>([])

    init(_ task: SessionTask, _ channel: BodyChannel) { (self.task, self.channel) = (task, channel) }

    deinit { task.cancel() }

    func head() async throws -> ResponseHead {
        try await withTaskCancellationHandler {
            try await channel.head()
        } onCancel: {
            task.cancel()
        }
    }

    /// Returns the next byte; nil after the last one.
    func nextByte() async throws -> UInt8? {
        while true {
            if let byte = unread.withLock({ $0.popFirst() }) { return byte }
            guard try await receive() else { return nil }
        }
    }

    /// Returns what is there, or else the next piece that arrives; nil after the last one.
    func nextChunk() async throws -> [UInt8]? {
        let rest = takeRest()
        return rest.isEmpty ? try await receivedPiece() : rest
    }

    /// Returns the next line without its end; nil after the last one.
    func nextLine() async throws -> String? {
        var searched = 0
        while true {
            if let line = unread.withLock({ Self.takeLine(of: &$0, behind: searched) }) { return Self.text(of: line) }
            searched = unread.withLock { $0.count }
            guard searched <= Self.lineLimit else { throw SessionError(.bodyTooLarge, ResponseErrors.lineTooLong) }
            guard try await receive() else {
                let line = takeRest()
                return line.isEmpty ? nil : Self.text(of: line[...])
            }
        }
    }

    /// Waits for the next piece and keeps it; returns false after the last one.
    private func receive() async throws -> Bool {
        guard let piece = try await receivedPiece() else { return false }
        unread.withLock { if $0.isEmpty { $0 = piece[...] } else { $0 += piece } }
        return true
    }

    private func receivedPiece() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await channel.next()
        } onCancel: {
            task.cancel()
        }
    }

    private func takeRest() -> [UInt8] {
        unread.withLock { unread in
            defer { unread = [] }
            return Array(unread)
        }
    }

    /// Takes a complete line; nil if its end is not among the bytes, the first of which were searched before.
    private static func takeLine(of bytes: inout ArraySlice<UInt8>, behind searched: Int) -> ArraySlice<UInt8>? {
        guard let end = bytes.dropFirst(searched).firstIndex(of: 0x0A) else { return nil }
        defer { bytes = bytes[(end + 1)...] }
        return bytes[..<end]
    }

    private static func text(of line: ArraySlice<UInt8>) -> String {
        String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
}

extension SessionManager {
    /// Sends a request and returns as soon as its head has arrived, with the body to read; see ``ResponseBytes``.
    ///
    /// The status is not checked: the reader has the head. Interceptors adapt the request and are not asked about
    /// failures, because parts of the body may have been read.
    public func bytes(
        for request: some TaskRequest, options: TaskOptions = TaskOptions()
    ) async throws -> (bytes: ResponseBytes, head: ResponseHead) {
        let interceptors = interceptors(of: options)
        var adapted: any TaskRequest = request
        if !interceptors.isEmpty {
            adapted = AdaptedRequest(
                try await Self.adapted(request.transferRequest(), by: interceptors, attempt: 1), of: request)
        }
        let channel = BodyChannel()
        var options = options
        options.responseSerializer = DataResponseSerializer()
        let reader = BodyReader(try streamingTask(with: adapted, options: options) { channel.feed($0, $1) }, channel)
        reader.task.observe { channel.hear($0) }
        options.onTask?(reader.task)
        reader.task.resume()
        let head = try await reader.head()
        return (ResponseBytes(reader), head)
    }
}
