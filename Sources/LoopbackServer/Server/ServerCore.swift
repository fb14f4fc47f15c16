import CLinux
import Glibc
import SessionSupport

/// The state shared by the server's threads.
///
/// The public handle may be released while they run; this object lives until the last one ends.
final class ServerCore: Sendable {
    private struct State {
        var phase = ServerPhase.idle
        var port: UInt16
        /// A socket that keeps the port while the server is stopped; another one would get it, and answer in its place.
        var holder: Int32 = -1
        var acceptor: SystemThread?
        var wake: Int32 = -1
        var connections: [Int: Int32] = [:]
        var threads: [Int: SystemThread] = [:]
        var finished: [Int] = []
        var nextConnection = 0

        /// Returns false when the server is running or starting.
        mutating func begin() -> Bool {
            guard phase == .idle else { return false }
            phase = .starting
            return true
        }

        /// Returns false when the server is not running, or another thread stops it already.
        mutating func beginStop() -> Bool {
            guard phase == .running else { return false }
            phase = .stopping
            return true
        }

        mutating func end() {
            phase = .idle
            acceptor = nil
            wake = -1
            threads.removeAll()
            finished.removeAll()
        }

        mutating func add(_ descriptor: Int32) -> Int {
            defer { nextConnection += 1 }
            connections[nextConnection] = descriptor
            return nextConnection
        }
    }

    let configuration: ServerConfiguration
    let routes = Monitor(RouteTable())
    let log: Monitor<RequestLog>
    private let state: Monitor<State>

    init(configuration: ServerConfiguration) {
        self.configuration = configuration
        log = Monitor(RequestLog(limit: configuration.recordedRequestLimit))
        state = Monitor(State(port: configuration.port))
    }

    deinit {
        Socket.close(state.withLock(\.holder))
    }

    var port: UInt16 { state.withLock(\.port) }

    var connectionCount: Int { state.withLock(\.connections.count) }

    // MARK: Starting and stopping

    func start() throws(ServerError) {
        guard state.change({ $0.begin() }) else { return }
        do throws(ServerError) {
            let listener = try Socket.listen(port: try heldPort(), backlog: 4_096)
            do throws(ServerError) {
                try configure(listener)
                try open(listener)
            } catch {
                Socket.close(listener)
                throw error
            }
        } catch {
            state.change { $0.phase = .idle }
            throw error
        }
    }

    /// The port, which is the server's from the first start on.
    private func heldPort() throws(ServerError) -> UInt16 {
        guard state.withLock(\.holder) < 0 else { return port }
        let held = try Socket.hold(port: port)
        state.change { ($0.holder, $0.port) = held }
        return held.port
    }

    /// Ends every connection and thread, and returns when all are gone.
    ///
    /// A concurrent second call waits too.
    func stop() {
        _ = state.wait(timeoutMilliseconds: nil) { $0.phase != .starting }
        guard state.change({ $0.beginStop() }) else {
            _ = state.wait(timeoutMilliseconds: nil) { $0.phase == .idle }
            return
        }
        let (acceptor, wake) = state.withLock { ($0.acceptor, $0.wake) }
        let signalled = cl_eventfd_signal(wake)
        precondition(signalled == 0, "waking the acceptor failed with error \(errno)")
        acceptor?.join()
        dropConnections()
        for thread in state.withLock({ Array($0.threads.values) }) { thread.join() }
        Socket.close(wake)
        state.change { $0.end() }
    }

    /// Ends every open connection.
    func dropConnections() {
        state.withLock { state in
            // A descriptor in the table is still open: its thread removes it, under this lock, before closing it.
            for descriptor in state.connections.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func configure(_ listener: Int32) throws(ServerError) {
        if let size = configuration.sendBufferByteCount {
            try Socket.set(listener, SOL_SOCKET, SO_SNDBUF, Int32(clamping: size))
        }
        if let size = configuration.receiveBufferByteCount {
            try Socket.set(listener, SOL_SOCKET, SO_RCVBUF, Int32(clamping: size))
        }
    }

    private func open(_ listener: Int32) throws(ServerError) {
        let wake = cl_eventfd()
        guard wake >= 0 else { throw ServerError(call: "eventfd", number: errno) }
        do throws(ServerError) {
            let acceptor = try SystemThread.serve(name: "loopback-accept", stackByteCount: 262_144) { [self] in
                accept(on: listener, wake: wake)
                Socket.close(listener)
            }
            state.change { state in
                state.phase = .running
                state.acceptor = acceptor
                state.wake = wake
            }
        } catch {
            Socket.close(wake)
            throw error
        }
    }

    // MARK: Connections

    private func accept(on listener: Int32, wake: Int32) {
        while true {
            joinFinished()
            let limit = configuration.connectionLimit
            _ = state.wait(timeoutMilliseconds: nil) { $0.connections.count < limit || $0.phase == .stopping }
            let seen = Socket.poll((listener, Int16(POLLIN)), (wake, Int16(POLLIN)), timeoutMilliseconds: -1)
            if seen.second != 0 { return }
            guard seen.first != 0 else { continue }
            let descriptor = cl_accept(listener)
            if descriptor >= 0 {
                serve(descriptor)
            } else if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
                // Until a connection ends, another attempt would fail as well.
                let count = connectionCount
                _ = state.wait(timeoutMilliseconds: 100) { $0.connections.count < count || $0.phase == .stopping }
            }
        }
    }

    private func serve(_ descriptor: Int32) {
        do throws(ServerError) {
            try Socket.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
            let milliseconds = Int(configuration.idleTimeoutMilliseconds)
            let timeout = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
            try Socket.set(descriptor, SOL_SOCKET, SO_RCVTIMEO, timeout)
            let identifier = state.change { $0.add(descriptor) }
            do throws(ServerError) {
                let thread = try SystemThread.serve(name: "loopback-\(identifier)", stackByteCount: 524_288) { [self] in
                    let manner = Connection(identifier: identifier, descriptor: descriptor, core: self).serve()
                    end(identifier, descriptor, manner)
                }
                state.change { $0.threads[identifier] = thread }
            } catch {
                state.change { _ = $0.connections.removeValue(forKey: identifier) }
                throw error
            }
        } catch {
            // No thread or a dead socket: the peer sees the connection end, the server continues.
            Socket.close(descriptor)
        }
    }

    private func end(_ identifier: Int, _ descriptor: Int32, _ manner: Cut.Manner) {
        state.change { _ = $0.connections.removeValue(forKey: identifier) }
        if manner == .reset {
            // When the option is refused, the connection ends in order instead.
            try? Socket.set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        }
        Socket.close(descriptor)
        state.change { $0.finished.append(identifier) }
    }

    private func joinFinished() {
        let threads = state.withLock { state in
            let known = state.finished.compactMap { state.threads.removeValue(forKey: $0) }
            state.finished.removeAll()
            return known
        }
        for thread in threads { thread.join() }
    }
}

extension ServerCore: ConnectionHost {
    func record(_ head: RequestHead, connectionID: Int) -> RecordedRequest {
        log.change { $0.append(head, connectionID: connectionID) }
    }

    func update(_ request: RecordedRequest) {
        log.change { $0.update(request) }
    }

    func behaviour(for request: RecordedRequest) -> Behaviour {
        let (behaviour, visit) = routes.withLock { $0.visit(request.path) }
        // Outside the lock: a choice runs the user's closure.
        return behaviour.resolved(visit: visit, request: request)
    }
}

/// The phase of a server: idle → starting → running → stopping → idle; a failed start returns to idle.
enum ServerPhase: Sendable {
    case idle
    case starting
    case running
    case stopping
}
