import CLinux
import Glibc
import Support

/// A thread that waits for rtnetlink's messages until this object is let go.
///
/// A class because its end has to stop the thread.
final class NetworkWatch: Sendable {
    private let stop: Int32

    /// Nil when the system refuses a descriptor or a thread.
    init?(_ mayHaveChanged: @escaping @Sendable () -> Void) {
        let messages = cl_network_watch()
        guard messages >= 0 else { return nil }
        let stop = cl_eventfd()
        guard stop >= 0 else {
            close(messages)
            return nil
        }
        let ending = dup(stop)
        self.stop = stop
        let started: Void? =
            ending < 0
            ? nil
            : try? SystemThread.detach(name: "session-network") {
                Self.run(messages: messages, stop: ending, mayHaveChanged)
            }
        guard started != nil else {
            // The object exists by now, so its end closes the descriptor it holds.
            close(messages)
            if ending >= 0 { close(ending) }
            return nil
        }
    }

    deinit {
        // The thread has a descriptor of its own for the same counter.
        _ = cl_eventfd_signal(stop)
        close(stop)
    }

    private static func run(messages: Int32, stop: Int32, _ mayHaveChanged: @Sendable () -> Void) {
        defer {
            close(messages)
            close(stop)
        }
        while true {
            var descriptors = [
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
                pollfd(fd: messages, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&descriptors, 2, -1) < 0, errno != EINTR { return }
            if descriptors[0].revents != 0 { return }
            guard descriptors[1].revents != 0 else { continue }
            switch cl_network_drain(messages) {
            case 0: continue
            case 1: mayHaveChanged()
            default: return
            }
        }
    }
}
