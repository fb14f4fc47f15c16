import Dashboard
import SessionSupport

/// What one effect leads to: told in the frame of its key where it is there in time, posted otherwise.
///
/// Safe from any thread.
final class PromptReply: Sendable {
    private enum State: Sendable {
        case awaited
        case given([Message])
        /// The caller has gone on.
        case late
    }

    /// The milliseconds that a key waits for what it leads to: a quarter of a frame at 60 per second.
    static let patience: Int64 = 4

    private let state = Monitor(State.awaited)
    private let post: @Sendable (Message) -> Void

    /// - Parameter post: takes each message that comes too late.
    init(post: @escaping @Sendable (Message) -> Void) {
        self.post = post
    }

    /// Gives the messages; called once, from any thread.
    func give(_ messages: [Message]) {
        let isLate = state.change { state in
            if case .late = state { return true }
            state = .given(messages)
            return false
        }
        if isLate { messages.forEach(post) }
    }

    /// Takes the messages that are there within so many milliseconds; the others are posted when they come.
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
