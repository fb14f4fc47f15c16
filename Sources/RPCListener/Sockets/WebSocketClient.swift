import AriaRPC
import CRPCTransport
import SessionSupport

/// One WebSocket; only the thread of WebSockets uses it.
final class WebSocketClient {
    /// An answer after a wrong token.
    struct Late {
        /// Milliseconds of the monotonic clock.
        var due: Int64
        var body: [UInt8]
    }

    /// Beyond this many bytes or messages that its client has not taken, no more requests are read.
    private static let pauseBytes = 1 << 20
    private static let pauseMessages = 256
    /// Beyond this many bytes notifications end the WebSocket.
    private static let endBytes = 4 << 20
    /// The status of a WebSocket that its server ends.
    private static let goingAway: UInt16 = 1001

    let descriptor: Int32
    private let handle: WebSockets.Handle
    private var socket: UnsafeMutableRawPointer?
    let isTrusted: Bool
    /// Whether a request had the token.
    private(set) var hasShownToken = false
    /// The messages that have come and are not answered.
    fileprivate(set) var received = FIFO<[UInt8]>()
    private(set) var late: Late?
    /// Whether bytes wait that no poll reports.
    private(set) var hasMore = false
    private(set) var isOver = false

    init(_ opened: WebSockets.Opened) {
        (descriptor, handle, isTrusted) = (opened.descriptor, opened.handle, opened.isTrusted)
        hasMore = !opened.early.isEmpty
        socket = opened.early.withUnsafeBytes { early in
            crpc_socket_new(
                descriptor, early.baseAddress?.assumingMemoryBound(to: CChar.self), early.count,
                UInt64(AriaHTTP.bodyLimit), Unmanaged.passUnretained(self).toOpaque(), onMessage)
        }
        isOver = socket == nil
    }

    /// Ends the connection; the last call.
    func end() {
        if let socket { crpc_socket_free(socket) }
        socket = nil
        handle.end()
    }

    // MARK: - State

    var wantsRead: Bool {
        guard let socket, !isOver, late == nil, received.isEmpty, crpc_socket_wants_read(socket) else { return false }
        return !isFull
    }

    var wantsWrite: Bool { socket.map { !isOver && crpc_socket_wants_write($0) } ?? false }

    /// Whether requests wait for their turn, or for bytes that no poll reports.
    var hasWork: Bool { !isOver && late == nil && !isFull && (!received.isEmpty || hasMore && wantsRead) }

    private var isFull: Bool {
        guard let socket else { return true }
        return crpc_socket_queued_bytes(socket) > Self.pauseBytes
            || crpc_socket_queued_messages(socket) > Self.pauseMessages
    }

    // MARK: - Work

    func receive() {
        guard let socket, wantsRead else { return }
        var hasMore = false
        if !crpc_socket_receive(socket, &hasMore) { isOver = true }
        self.hasMore = hasMore
    }

    /// The connection is gone in both directions.
    func fail() {
        if wantsRead { receive() }
        // What waits for an answer has no reader.
        isOver = true
    }

    func send() {
        guard let socket else { return }
        if !crpc_socket_send(socket) || crpc_socket_is_over(socket) { isOver = true }
    }

    /// Answers requests until one has to wait; an answer that is late holds the others up.
    func answer(by server: AriaServer, at now: Int64) {
        while late == nil, !isOver, !isFull, let text = received.popFirst() {
            let answer = server.answer(text, isTrusted: isTrusted)
            if answer.wasAccepted { hasShownToken = true }
            if answer.isLate {
                late = Late(due: now + Int64(HTTPExchange.patience), body: answer.body)
            } else {
                queue(answer.body)
            }
        }
    }

    func sendLate(at now: Int64) {
        guard let late, late.due <= now else { return }
        self.late = nil
        queue(late.body)
    }

    func notify(_ text: [UInt8]) {
        guard let socket, !isOver else { return }
        if crpc_socket_queued_bytes(socket) > Self.endBytes { isOver = true } else { queue(text) }
    }

    /// Says that the service ends.
    func sayGoodbye() {
        guard let socket, !isOver else { return }
        crpc_socket_queue_close(socket, Self.goingAway)
        send()
    }

    private func queue(_ text: [UInt8]) {
        guard let socket else { return }
        if !text.withUnsafeBufferPointer({ crpc_socket_queue(socket, $0.baseAddress, $0.count) }) { isOver = true }
    }
}

@available(*, unavailable) extension WebSocketClient: Sendable {}

private nonisolated func onMessage(_ context: UnsafeMutableRawPointer?, _ data: UnsafePointer<UInt8>?, _ size: Int) {
    guard let context else { return }
    let client = Unmanaged<WebSocketClient>.fromOpaque(context).takeUnretainedValue()
    client.received.append(Array(UnsafeBufferPointer(start: data, count: size)))
}
