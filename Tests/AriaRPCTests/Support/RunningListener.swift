import SessionSupport

@testable import AriaRPC
@testable import RPCListener

/// Notifications that a test tells.
final class FakeNews: RPCNews {
    private struct State {
        var waiting: [(notice: AriaNotice, gid: String)] = []
        var wake: (@Sendable () -> Void)?
        var begins = 0
        var ends = 0
    }

    private let state = Monitor(State())

    func begin(wake: @escaping @Sendable () -> Void) {
        state.change { state in
            state.wake = wake
            state.begins += 1
        }
    }

    func take() -> [(notice: AriaNotice, gid: String)] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    func end() {
        state.change { state in
            state.wake = nil
            state.ends += 1
        }
    }

    /// Tells a notification as soon as one is wanted.
    func tell(_ notice: AriaNotice, _ gid: String) {
        let wake = state.wait { state -> (@Sendable () -> Void)? in
            guard let wake = state.wake else { return nil }
            state.waiting.append((notice, gid))
            return wake
        }
        wake()
    }

    func waitForEnd() { state.wait { $0.ends > 0 && $0.ends == $0.begins ? () : nil } }
}

/// A listener on a free port of this machine.
final class RunningListener {
    let program: FakeProgram
    let news = FakeNews()
    let stops = Monitor(0)
    let listener: RPCListener

    init(secret: String? = nil, at address: RPCAddress = .tcp(host: "127.0.0.1", port: 0)) throws {
        program = FakeProgram(secret: secret)
        let stops = stops
        listener = try RPCListener(
            AriaHTTP(program.server, OriginRule(isLocal: address.isLocal)), at: address, news: news,
            onStop: { stops.change { $0 += 1 } })
        try listener.start()
    }

    var port: UInt16 { if case .tcp(_, let port) = listener.boundAddress { port } else { 0 } }

    func connect() throws -> RawClient {
        guard let client = RawClient(port: port) else { throw Refused() }
        client.owner = self
        return client
    }

    struct Refused: Error {}

    private let isClosed = Locked(false)

    func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { listener.close() }
    }

    deinit { close() }
}
