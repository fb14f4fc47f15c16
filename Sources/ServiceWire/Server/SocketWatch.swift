import CLinux
import Glibc

/// Waits for clients of a listening socket, and notices when its file is missing: a logout or a clean-up may remove it
/// under its service.
///
/// The kernel reports the loss, so a service at rest is not woken. Confined to one thread, but for ``end()``.
final class SocketWatch: Sendable {
    enum News {
        /// A client waits.
        case client
        /// The file is missing.
        case lost
        case ended
    }

    /// The milliseconds between two looks while the kernel cannot report, as in a folder that is missing too.
    private static let interval: Int32 = 2_000

    private let socket: ServiceSocket
    /// The descriptor that reports what is removed from the socket's folder; negative where there is none.
    private let events: Int32
    /// Signalled at the end.
    private let bell: Int32
    private let keepsFile: Bool

    /// - Parameter keepsFile: whether another process keeps the file.
    init(_ socket: ServiceSocket, keepsFile: Bool) throws(ServiceSocket.Problem) {
        self.socket = socket
        bell = cl_eventfd()
        guard bell >= 0 else { throw .unusable("eventfd", errno: errno) }
        events = keepsFile ? -1 : cl_watch_open()
        self.keepsFile = keepsFile
    }

    deinit {
        close(bell)
        if events >= 0 { close(events) }
    }

    /// Ends the wait of the other thread; safe from any thread.
    func end() { _ = cl_eventfd_signal(bell) }

    /// Waits for a client, or until the file is missing.
    func next(on descriptor: Int32) -> News {
        while true {
            // Watching a folder again changes nothing, and its file may have gone before it was watched.
            let isWatching = keepsFile || events >= 0 && cl_watch_add_losses(events, socket.folder) == 0
            let isLost = !keepsFile && !socket.exists
            switch wait(for: descriptor, milliseconds: isLost ? 0 : isWatching ? -1 : Self.interval) {
            case .lost?, nil: if isLost { return .lost }
            case let news?: return news
            }
        }
    }

    /// Waits before the next try to make the file again.
    func rest() { _ = wait(for: -1, milliseconds: Self.interval) }

    /// Returns what has happened, `lost` for a change of the folder; nil where nothing has.
    private func wait(for descriptor: Int32, milliseconds: Int32) -> News? {
        var entries = [bell, descriptor, descriptor < 0 ? -1 : events].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&entries, 3, milliseconds) > 0 else { return nil }
        if entries[0].revents != 0 { return .ended }
        if entries[2].revents != 0 { drain() }
        return entries[1].revents != 0 ? .client : .lost
    }

    private func drain() {
        var found = [cl_watch_event](repeating: cl_watch_event(), count: 32)
        while cl_watch_read(events, &found, 32) > 0 {}
    }
}
