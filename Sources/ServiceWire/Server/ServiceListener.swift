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
    /// Whether a service manager has made the socket.
    private let isInherited: Bool
    private let watch: SocketWatch
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
        watch = try SocketWatch(socket, keepsFile: inherited != nil)
        let listening = try socket.listen(inherited: inherited)
        isInherited = listening.isInherited
        do {
            try SystemThread.detach(name: "service") { [self] in acceptAll(listening) }
        } catch {
            if !isInherited { socket.remove() }
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
        if !isInherited { socket.remove() }
        // The accepting thread closes the descriptors.
        watch.end()
        if let unsaved { tell(.unsaved(unsaved), connections) }
        if isStopped { tell(.stopped(startsOnConnection: isInherited), connections) }
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

    // MARK: - Accepting

    private func acceptAll(_ first: ServiceSocket.Listening) {
        var listening = first
        defer {
            Glibc.close(listening.descriptor)
            Glibc.close(listening.lock)
            hasEnded.change { $0 = true }
        }
        while true {
            switch watch.next(on: listening.descriptor) {
            case .ended: return
            case .lost: if !listenAgain(&listening) { watch.rest() }
            case .client:
                let descriptor = cl_accept(listening.descriptor)
                if state.withLock({ $0.isClosed }) {
                    if descriptor >= 0 { Glibc.close(descriptor) }
                    return
                }
                if descriptor >= 0 { accept(descriptor) } else { rest(after: errno) }
            }
        }
    }

    /// Makes the missing file of the socket again; returns false where that cannot be done yet.
    private func listenAgain(_ listening: inout ServiceSocket.Listening) -> Bool {
        guard !state.withLock(\.isClosed) else { return true }
        guard let made = try? socket.listen(after: listening) else { return false }
        Glibc.close(listening.descriptor)
        if made.lock != listening.lock { Glibc.close(listening.lock) }
        listening = made
        // The end may have removed the file before it was made.
        if state.withLock(\.isClosed) { socket.remove() }
        return true
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
