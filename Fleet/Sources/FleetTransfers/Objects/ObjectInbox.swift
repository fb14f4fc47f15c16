internal import FleetQueue
internal import SessionCore
internal import Synchronization

/// Answers for the worker's thread, and the requests that it may cancel.
final class ObjectInbox: Sendable {
    /// An answer to a step of a job, with the turn in which it was asked.
    struct Message: Sendable {
        let id: Int64
        let turn: Int
        let answer: ObjectUpload.Answer
        /// The downloaded file, when it was opened.
        var file: SpoolFile?
    }

    private struct State {
        var messages: [Message] = []
        var tasks: [Int64: SessionTask] = [:]
        /// The step's turn of each job.
        var turns: [Int64: Int] = [:]
    }

    private let state = Mutex(State())
    private let bell: Bell

    init(bell: Bell) { self.bell = bell }

    func put(_ message: Message) {
        state.withLock { $0.messages.append(message) }
        bell.ring()
    }

    func take() -> [Message] {
        state.withLock { state in
            defer { state.messages.removeAll(keepingCapacity: true) }
            return state.messages
        }
    }

    /// Expects answers of a turn from now on.
    func expect(turn: Int, for id: Int64) { state.withLock { $0.turns[id] = turn } }

    /// Notes a request; false if its turn is over.
    func begin(_ task: SessionTask, turn: Int, for id: Int64) -> Bool {
        state.withLock { state in
            guard state.turns[id] == turn else { return false }
            state.tasks[id] = task
            return true
        }
    }

    func forget(_ id: Int64) {
        state.withLock { state in
            state.tasks[id] = nil
            state.turns[id] = nil
        }
    }

    /// Cancels a job's request; its answer comes too late.
    func cancel(_ id: Int64) { state.withLock { $0.tasks.removeValue(forKey: id) }?.cancel() }
}
