import CLinux
import Glibc
import SessionSupport

/// A body that a separate thread reads from an open descriptor, such as standard input, so that a slow writer never
/// stalls the transfer loop.
///
/// At most 1 MiB is read ahead. The body cannot be sent again. The descriptor stays the caller's; what is read is a copy
/// of it, because the thread may outlast the task, and the caller's number may be another file's by then.
final class DescriptorBodySource: BodySource {
    private static let readAhead = 1 << 20
    private static let block = 64 << 10

    /// The state shared by the reading thread and the loop.
    private final class Shared: Sendable {
        struct State {
            var buffer: [UInt8] = []
            /// Bytes at the front of the buffer that were sent already.
            var taken = 0
            var available: Int { buffer.count - taken }
            var isAtEnd = false
            var failure: SessionError?
            var isStopped = false
            /// Set while the loop waits for bytes.
            var wantsWake = false
        }
        let state = Locked(State())
        /// Signalled when the buffer has room again and when the source is released.
        let room: Int32
        let descriptor: Int32
        let piped: PipedBody?
        let wake: @Sendable () -> Void

        init(descriptor: Int32, piped: PipedBody?, room: Int32, wake: @escaping @Sendable () -> Void) {
            self.descriptor = descriptor
            self.piped = piped
            self.room = room
            self.wake = wake
        }

        deinit {
            close(room)
            close(descriptor)
        }
    }

    private let shared: Shared

    /// Starts reading.
    ///
    /// `piped` reports at the end whether another thread has written everything. `wake` is called on the reading thread
    /// when bytes arrive after a ``BodyRead/wait``.
    convenience init(
        descriptor: Int32, piped: PipedBody? = nil, wake: @escaping @Sendable () -> Void
    ) throws(SessionError) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Self.unreadable(errno) }
        try self.init(owned: copy, piped: piped, wake: wake)
    }

    /// Reads a descriptor that is closed when reading has ended.
    convenience init(owned descriptor: Int32, wake: @escaping @Sendable () -> Void) throws(SessionError) {
        try self.init(owned: descriptor, piped: nil, wake: wake)
    }

    private init(
        owned descriptor: Int32, piped: PipedBody?, wake: @escaping @Sendable () -> Void
    ) throws(SessionError) {
        let room = cl_eventfd()
        guard room >= 0 else {
            close(descriptor)
            throw SessionError(.internal, BodyErrors.noDescriptor, errno: errno)
        }
        let shared = Shared(descriptor: descriptor, piped: piped, room: room, wake: wake)
        self.shared = shared
        try SystemThread.startDetached(name: "session-body") { Self.run(shared) }
    }

    deinit {
        shared.state.withLock { $0.isStopped = true }
        _ = cl_eventfd_signal(shared.room)
    }

    var length: Int64? { nil }
    var canRewind: Bool { false }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BodyRead {
        let result: BodyRead = shared.state.withLock { state in
            if state.available > 0 {
                let range = state.taken..<state.taken + min(buffer.count, state.available)
                state.buffer.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
                state.taken = range.upperBound
                if state.available == 0 {
                    state.buffer.removeAll(keepingCapacity: true)
                    state.taken = 0
                }
                return .bytes(range.count)
            }
            if let error = state.failure { return .failed(error) }
            if state.isAtEnd { return .end }
            state.wantsWake = true
            return .wait
        }
        _ = cl_eventfd_signal(shared.room)
        return result
    }

    func seek(to offset: Int64) -> Bool { false }

    private static func run(_ shared: Shared) {
        var block = [UInt8](repeating: 0, count: Self.block)
        while true {
            switch waitForWork(shared) {
            case .stop: return
            case .failed(let code): return store(0, block, failure: unreadable(code), shared)
            case .read: break
            }
            let count = Glibc.read(shared.descriptor, &block, block.count)
            let code = errno
            if count < 0, code == EINTR || code == EAGAIN { continue }
            let failure = count > 0 ? nil : count < 0 ? unreadable(code) : shared.piped?.failure
            store(count, block, failure: failure, shared)
            if count <= 0 { return }
        }
    }

    /// Stores what was read, or why nothing more follows, for the loop.
    private static func store(_ count: Int, _ block: [UInt8], failure: SessionError?, _ shared: Shared) {
        let wakes = shared.state.withLock { state in
            if count > 0 { state.buffer.append(contentsOf: block[0..<count]) }
            state.isAtEnd = count <= 0
            state.failure = failure
            defer { state.wantsWake = false }
            return state.wantsWake
        }
        if wakes { shared.wake() }
    }

    private static func unreadable(_ code: Int32) -> SessionError {
        SessionError(.bodyUnreadable, BodyErrors.unreadableBody(SystemWords.text(code)), errno: code)
    }

    private enum Work {
        case read
        /// The source was released.
        case stop
        case failed(Int32)
    }

    /// Waits until the buffer has room and the descriptor is readable.
    private static func waitForWork(_ shared: Shared) -> Work {
        while true {
            // Drained before the state is read, so that a later signal is never lost.
            _ = cl_eventfd_drain(shared.room)
            let (stopped, full) = shared.state.withLock { ($0.isStopped, $0.buffer.count >= readAhead) }
            if stopped { return .stop }
            var descriptors = [
                pollfd(fd: shared.room, events: Int16(POLLIN), revents: 0),
                pollfd(fd: full ? -1 : shared.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&descriptors, 2, -1)
            let code = errno
            if count < 0, code != EINTR { return .failed(code) }
            if count > 0, descriptors[1].revents != 0 { return .read }
        }
    }
}
