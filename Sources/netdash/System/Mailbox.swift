import CLinux
import Glibc
import SessionSupport
import TransferService

/// Delivers messages from any thread to the event loop, in the order they were posted.
///
/// One burst wakes the loop once: only a message into an empty mailbox writes to the descriptor.
final class Mailbox<Message: Sendable>: Sendable {
    /// An event descriptor, readable while messages wait.
    let descriptor: Int32
    /// The most messages that an emptied mailbox reserves memory for.
    private static var burst: Int { 64 }

    private let waiting = Locked<[Message]>([])

    /// Throws when the process has no descriptor left.
    init() throws(SystemCallError) {
        descriptor = cl_eventfd()
        guard descriptor >= 0 else { throw SystemCallError(call: "eventfd", errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Adds a message; never blocks.
    func post(_ message: Message) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(message)
            return waiting.count == 1
        }
        guard isFirst else { return }
        let result = cl_eventfd_signal(descriptor)
        precondition(result == 0, "An event descriptor took no wake-up: errno \(errno)")
    }

    func drain() -> [Message] {
        // The descriptor is drained first, so that a message posted in between wakes the loop again.
        let result = cl_eventfd_drain(descriptor)
        precondition(result == 0, "An event descriptor could not be read: errno \(errno)")
        return waiting.withLock { waiting in
            let messages = waiting
            waiting = []
            // The next burst is about as long; a growing array moves its elements again and again.
            waiting.reserveCapacity(min(messages.count, Self.burst))
            return messages
        }
    }
}
