/// Decides when the next frame is drawn.
///
/// A value without a clock. Keys are answered at once, changes of state within 16 ms, and progress at the frame rate:
/// many small changes cost one frame, and no change costs none.
struct FramePacer: Sendable, Equatable {
    enum Urgency: Sendable, Comparable {
        case never, whenDue, soon, now
    }

    /// Milliseconds between frames for changes of state.
    private static let shortest: Int64 = 16

    /// Frames of progress per second, from 1 to 60.
    var framesPerSecond: Int
    /// Whether the terminal's window has the focus; without it everything but keys waits up to a second.
    var hasFocus = true
    private var interval: Int64 { hasFocus ? 1000 / Int64(min(max(framesPerSecond, 1), 60)) : 1000 }
    private var lastFrame: Int64?
    /// The moment of the next frame in milliseconds; nil when nothing has changed.
    private(set) var due: Int64?

    /// A pacer for frames of progress at a rate from 1 to 60.
    init(framesPerSecond: Int) {
        self.framesPerSecond = framesPerSecond
    }

    /// Requests a frame; the earliest request counts.
    mutating func request(_ urgency: Urgency, now: Int64) {
        guard urgency > .never else { return }
        let spacing: Int64 =
            switch urgency {
            case .never, .now: 0
            case .soon: hasFocus ? Self.shortest : interval
            case .whenDue: interval
            }
        let moment = max(now, lastFrame.map { $0 + spacing } ?? now)
        due = min(due ?? moment, moment)
    }

    mutating func drew(now: Int64) {
        lastFrame = now
        due = nil
    }
}

/// The program's reaction to an event.
struct LoopReaction: Sendable, Equatable {
    /// The urgency of the change; never when nothing visible changed.
    var frame = FramePacer.Urgency.never
    /// Whether to stop the process as `^Z` does.
    var suspends = false
    /// The rate for frames of progress, when it changes.
    var framesPerSecond: Int?
    /// Whether the window has the focus: without it progress is drawn once a second.
    var hasFocus: Bool?
    /// Ends the loop with this status.
    var exitStatus: Int32?

    static let none = LoopReaction()

    static func draw(_ urgency: FramePacer.Urgency) -> LoopReaction { LoopReaction(frame: urgency) }
}
