import Glibc
import SessionSupport

/// Serves the requests of one connection until it ends.
///
/// Confined to its own thread.
final class Connection {
    private let identifier: Int
    private let descriptor: Int32
    private let core: any ConnectionHost
    private let reader: SocketReader
    private let writer: SocketWriter
    private let responses: ResponseWriter

    init(identifier: Int, descriptor: Int32, core: any ConnectionHost) {
        self.identifier = identifier
        self.descriptor = descriptor
        self.core = core
        reader = SocketReader(descriptor: descriptor)
        writer = SocketWriter(descriptor: descriptor)
        responses = ResponseWriter(descriptor: descriptor, writer: writer)
    }

    /// Serves until the connection ends; returns how to close the socket.
    func serve() -> Cut.Manner {
        do throws(ConnectionEnd) {
            while try exchange() {}
            closeInOrder()
            return .close
        } catch {
            return end(error)
        }
    }

    private func end(_ end: ConnectionEnd) -> Cut.Manner {
        switch end {
        case .gone, .timedOut:
            return .close
        case .cut(let manner):
            if manner == .reset { waitForAcknowledgement() }
            return manner
        case .refused(let status, let reason):
            // If the refusal cannot be sent either, the connection just ends.
            try? responses.write(status, reason: reason)
            closeInOrder()
            return .close
        }
    }

    /// Serves one request; returns false when the connection ends after it.
    private func exchange() throws(ConnectionEnd) -> Bool {
        guard let bytes = try reader.readHead(limit: core.configuration.headLimit) else { return false }
        let head: RequestHead
        let framing: RequestFraming
        do throws(RequestHeadParser.Refusal) {
            head = try RequestHeadParser.parse(bytes)
            framing = try RequestFraming(head)
        } catch {
            throw .refused(status: error.status, reason: error.reason)
        }
        var request = core.record(head, connectionID: identifier)
        do throws(ConnectionEnd) {
            let keeps = try answer(&request, head: head, framing: framing)
            request.outcome = .answered
            core.update(request)
            return keeps
        } catch {
            if case .cut = error { request.outcome = .cut } else { request.outcome = .broken }
            if case .refused(let status, _) = error { request.status = status }
            core.update(request)
            throw error
        }
    }

    private func answer(
        _ request: inout RecordedRequest, head: RequestHead, framing: RequestFraming
    ) throws(ConnectionEnd) -> Bool {
        let behaviour = core.behaviour(for: request)
        try receive(&request, head: head, framing: framing, policy: behaviour.upload)
        core.update(request)
        let response = behaviour.response(to: request)
        let withBody = request.method != "HEAD"
        let closing =
            !request.bodyIsComplete || !head.keepsConnection || ResponseHead.needsClose(response, withBody: withBody)
        if response.form == .http { request.status = response.status }
        var sent: Int64 = 0
        defer { request.responseBodyBytesSent = sent }
        try responses.write(response, withBody: withBody, closing: closing) { sent = $0 }
        return !closing
    }

    private func receive(
        _ request: inout RecordedRequest, head: RequestHead, framing: RequestFraming, policy: UploadPolicy
    ) throws(ConnectionEnd) {
        let limit = policy.limit ?? core.configuration.bodyLimit
        var total = Int64.max
        switch framing {
        case .none:
            request.bodyIsComplete = true
            return
        case .length(let length):
            guard length <= limit else { throw .refused(status: 413, reason: "The body is too large") }
            total = length
        case .chunked:
            break
        }
        if policy.answersAfter == 0 { return }
        if policy.whenExpected == .sent, head.headers["Expect"].map({ ByteText.isSame($0, "100-continue") }) == true {
            try responses.write(InterimResponse(status: 100))
        }
        for interim in policy.interim { try responses.write(interim) }
        if policy.delivery.bytesPerSecond != nil || !policy.delivery.stalls.isEmpty {
            // Otherwise the kernel would buffer megabytes that the policy holds back. A failure changes nothing else.
            try? Socket.set(descriptor, SOL_SOCKET, SO_RCVBUF, Int32(32_768))
        }
        let stop = min(total, policy.answersAfter ?? .max)
        var body = RequestBodyReader(framing, reader: reader)
        try receive(&request, from: &body, upTo: stop, limit: limit, delivery: policy.delivery)
        if request.bodyByteCount == total { request.bodyIsComplete = true }
    }

    private func receive(
        _ request: inout RecordedRequest, from body: inout RequestBodyReader, upTo stop: Int64, limit: Int64,
        delivery: Delivery
    ) throws(ConnectionEnd) {
        var plan = DeliveryPlan(delivery, total: stop, block: 262_144)
        var pacer = Pacer(bytesPerSecond: delivery.bytesPerSecond)
        let kept = core.configuration.keptBodyByteCount
        while true {
            switch plan.next(at: request.bodyByteCount) {
            case .end:
                return
            case .cut(let manner):
                throw .cut(manner)
            case .stall(let gate):
                core.update(request)
                guard gate.pass(connection: descriptor) else { throw .gone }
                pacer?.restart()
            case .move(let count):
                let moved = try body.read(limit: count) { request.receive($0, keeping: kept) }
                if moved == 0 {
                    request.bodyIsComplete = true
                    return
                }
                guard request.bodyByteCount <= limit else { throw .refused(status: 413, reason: "too large") }
                if pacer?.pass(moved, connection: descriptor) == false { throw .gone }
            }
        }
    }

    /// Shuts down the sending side and drains the input, so that the peer gets the response instead of a reset.
    ///
    /// It gives up after ten seconds without a byte or after a mebibyte, whichever is first.
    private func closeInOrder() {
        guard shutdown(descriptor, Int32(SHUT_WR)) == 0 else { return }
        var drained = 0
        while drained < 1 << 20 {
            let seen = Socket.poll((descriptor, Int16(POLLIN)), timeoutMilliseconds: 10_000)
            guard seen.first & Int16(POLLIN) != 0 else { return }
            let moved = try? reader.read(limit: SocketReader.smallCapacity) { _ in }
            guard let moved else { return }
            drained += moved
        }
    }

    /// Waits until the peer's kernel has every byte, because a reset discards bytes in flight.
    private func waitForAcknowledgement() {
        // A peer that a busy machine does not wake has a full buffer for seconds.
        for _ in 0..<30_000 {
            guard let count = Socket.unacknowledgedByteCount(descriptor), count > 0 else { return }
            // The kernel has no event for this; the peer's end shows at once, the rest within a millisecond.
            let seen = Socket.poll((descriptor, 0), timeoutMilliseconds: 1)
            if seen.first != 0 { return }
        }
    }
}

/// Why a connection ends before its next request.
enum ConnectionEnd: Error, Equatable {
    /// The peer closed it, or the server is stopping.
    case gone
    /// No byte came for too long.
    case timedOut
    /// The behaviour demands a fault.
    case cut(Cut.Manner)
    /// The request is not acceptable; the status says why.
    case refused(status: Int, reason: String)

    /// Converts the `errno` of a socket call.
    init(errno number: Int32) {
        self = number == EAGAIN || number == EWOULDBLOCK ? .timedOut : .gone
    }
}

/// The server's interface for its connections.
protocol ConnectionHost: Sendable {
    var configuration: ServerConfiguration { get }
    /// Records a request whose head has arrived.
    func record(_ head: RequestHead, connectionID: Int) -> RecordedRequest
    /// Replaces the record of a request.
    func update(_ request: RecordedRequest)
    /// The behaviour for a request; every call counts as one visit to its path.
    func behaviour(for request: RecordedRequest) -> Behaviour
}
