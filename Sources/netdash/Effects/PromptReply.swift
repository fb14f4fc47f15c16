import Dashboard
import SessionSupport

/// Returns an effect's messages within the frame of its key if they are in time, and posts them otherwise.
///
/// Safe from any thread.
final class PromptReply: Sendable {
    private enum State: Sendable {
        case awaited
        case given([Message])
        /// The caller no longer waits.
        case late
    }

    /// The milliseconds that a key waits for its result: a quarter of a frame at 60 per second.
    static let patience: Int64 = 4

    private let state = Monitor(State.awaited)
    private let post: @Sendable (Message) -> Void

    /// - Parameter post: receives each late message.
    init(post: @escaping @Sendable (Message) -> Void) {
        self.post = post
    }

    /// Delivers the messages; called once, from any thread.
    func give(_ messages: [Message]) {
        let isLate = state.change { state in
            if case .late = state { return true }
            state = .given(messages)
            return false
        }
        if isLate { messages.forEach(post) }
    }

    /// Returns the messages that arrive in time; later ones are posted.
    func take(within milliseconds: Int64) -> [Message] {
        state.wait(timeoutMilliseconds: milliseconds) { state in
            if case .given = state { true } else { false }
        }
        return state.withLock { state in
            defer { state = .late }
            return if case .given(let messages) = state { messages } else { [] }
        }
    }
}
