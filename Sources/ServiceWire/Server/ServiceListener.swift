import CLinux
import Glibc
import SessionSupport
package import TransferService

/// Serves one session's transfers to windows and scripts, each on a connection of its own.
///
/// Safe from any thread.
package final class ServiceListener: Sendable {
    private struct State {
        var connections: [UInt64: ServiceConnection] = [:]
        var count: UInt64 = 0
        var isClosed = false
        /// Whether connections are still accepted, but not answered.
        var isSilent = false
        /// Whether a client has ended the service.
        var isStopped = false
    }

    /// The most connections at once; each costs two threads.
    private static let connectionLimit = 256
    /// The milliseconds for the answers to what was asked before the end.
    private static let answerPatience: Int64 = 1_000
    /// The milliseconds for telling all clients of the end.
    private static let stopPatience: Int64 = 200

    private let service: any TransferService
    private let socket: ServiceSocket
    private let listening: ServiceSocket.Listening
    private let welcome: Welcome
    private let state = Locked(State())
    /// Whether the accepting thread has closed its descriptors.
    private let hasEnded = Monitor(false)
    private let onStop: @Sendable () -> Void
    private let onCount: @Sendable (Int) -> Void

    /// Listens from now on.
    ///
    /// - Parameters:
    ///   - inherited: the listening descriptor of a service manager, in place of a new one.
    ///   - onStop: called on a connection's thread when a client ends the service.
    ///   - onCount: called with the number of connections whenever it changes.
    package init(
        _ service: any TransferService, at socket: ServiceSocket, inherited: Int32? = nil, welcome: Welcome,
        onStop: @escaping @Sendable () -> Void, onCount: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(ServiceSocket.Problem) {
        (self.service, self.socket, self.welcome, self.onStop, self.onCount) =
            (service, socket, welcome, onStop, onCount)
        listening = try socket.listen(inherited: inherited)
        do {
            try SystemThread.detach(name: "service") { [self] in acceptAll() }
        } catch {
            if !listening.isInherited { socket.remove() }
            throw .unusable(error.call, errno: error.number)
        }
    }

    /// Answers what is being answered now and nothing more; further messages wait for ``close(wasStopped:)``.
    ///
    /// Called before the service ends, so that each answer is of a service that goes on.
    package func fallSilent() {
        let connections = state.withLock { state in
            state.isSilent = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.fallSilent() }
        let deadline = cl_monotonic_milliseconds() + Self.answerPatience
        for connection in connections {
            connection.waitForAnswer(milliseconds: deadline - cl_monotonic_milliseconds())
        }
    }

    /// Ends all connections, removes the socket and lets the next service listen.
    ///
    /// - Parameters:
    ///   - wasStopped: whether a client of another interface has ended the service, as windows are told.
    ///   - unsaved: what the service could not save, which every client is told.
    package func close(wasStopped: Bool = false, unsaved: SafeText? = nil) {
        fallSilent()
        let ending = state.withLock { state -> (connections: [ServiceConnection], isStopped: Bool)? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            return (Array(state.connections.values), state.isStopped || wasStopped)
        }
        guard let (connections, isStopped) = ending else { return }
        if !listening.isInherited { socket.remove() }
        // Wakes the accepting thread, which closes the descriptors.
        wakeAcceptor()
        if let unsaved { tell(.unsaved(unsaved), connections) }
        if isStopped { tell(.stopped(startsOnConnection: listening.isInherited), connections) }
        for connection in connections { connection.end() }
        hasEnded.wait { $0 ? () : nil }
    }

    /// Tells clients how the service ends; one that does not read is given up.
    private func tell(_ message: ServerMessage, _ connections: [ServiceConnection]) {
        let deadline = cl_monotonic_milliseconds() + Self.stopPatience
        for connection in connections {
            while !connection.tell(message), cl_monotonic_milliseconds() < deadline { usleep(1_000) }
        }
    }

    /// A socket of a service manager must stay open for the next service, so a connection wakes the thread there.
    private func wakeAcceptor() {
        guard listening.isInherited else {
            Glibc.shutdown(listening.descriptor, Int32(SHUT_RDWR))
            return
        }
        if let descriptor = try? socket.connect() { Glibc.close(descriptor) }
    }

    // MARK: - Accepting

    private func acceptAll() {
        defer {
            Glibc.close(listening.descriptor)
            Glibc.close(listening.lock)
            hasEnded.change { $0 = true }
        }
        while true {
            let descriptor = cl_accept(listening.descriptor)
            if state.withLock({ $0.isClosed }) {
                if descriptor >= 0 { Glibc.close(descriptor) }
                return
            }
            if descriptor >= 0 { accept(descriptor) } else { rest(after: errno) }
        }
    }

    /// Waits where the process has no descriptor left: the next call would fail at once, again and again.
    private func rest(after number: Int32) {
        if [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(number) { usleep(50_000) }
    }

    private func accept(_ descriptor: Int32) {
        let stream = FrameStream(descriptor)
        guard ServiceSocket.isOwn(descriptor) else { return }
        let number = state.withLock { state -> UInt64? in
            guard state.connections.count < Self.connectionLimit else { return nil }
            state.count += 1
            return state.count
        }
        guard let number else {
            // A peer that does not read its refusal has it in its buffer.
            try? stream.write(ServerMessage.refused(WireErrors.tooManyConnections))
            return
        }
        let connection = ServiceConnection(stream, service: service, welcome: welcome) { [self] in
            state.withLock { $0.isStopped = true }
            onStop()
        }
        let count = state.withLock { state in
            state.connections[number] = connection
            if state.isSilent { connection.fallSilent() }
            return state.connections.count
        }
        onCount(count)
        do {
            try SystemThread.detach(name: "window") { [self] in
                connection.serve()
                leave(number)
            }
        } catch {
            connection.end()
            leave(number)
        }
    }

    private func leave(_ number: UInt64) {
        let count = state.withLock { state in
            state.connections[number] = nil
            return state.connections.count
        }
        onCount(count)
    }
}
