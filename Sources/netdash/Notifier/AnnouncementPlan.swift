import Dashboard

/// Decides which ends of tasks are announced when, and with which text.
///
/// The first of a series of ends is announced at once, the following ones together after an interval: ten thousand
/// small files ring once a second, not ten thousand times. The end of all tasks never waits.
struct AnnouncementPlan: Sendable {
    /// The milliseconds between two announcements of single tasks.
    static let interval: Int64 = 1_000

    /// An end to announce.
    enum End: Sendable, Equatable {
        case completed(SafeText)
        case failed(SafeText, cause: SafeText)
        case all(completed: Int, failed: Int, cancelled: Int)

        var moment: NotificationEvent {
            switch self {
            case .completed: .complete
            case .failed: .error
            case .all: .allDone
            }
        }
    }

    private let bell: Set<NotificationEvent>
    private let notification: Set<NotificationEvent>
    /// The latest waiting end, and the counts of either kind.
    private var shown: End?
    private var completed = 0
    private var failed = 0
    /// Whether the bell should ring.
    private var rings = false
    private var latest: Int64?

    init(_ settings: NotificationSettings) {
        bell = settings.bell
        notification = settings.notification
    }

    /// Adds an end at a moment of the monotonic clock; returns the announcement due now.
    mutating func add(_ end: End, at now: Int64) -> Announcement? {
        guard bell.contains(end.moment) || notification.contains(end.moment) else { return nil }
        rings = rings || bell.contains(end.moment)
        if notification.contains(end.moment) { count(end) }
        if case .all = end { return announcement(at: now) }
        if let latest, now - latest < Self.interval { return nil }
        return announcement(at: now)
    }

    /// The moment at which waiting ends are due; nil without any.
    var deadline: Int64? { rings || shown != nil ? latest.map { $0 + Self.interval } : nil }

    /// Takes the waiting ends when they are due or the program ends; nil without any.
    mutating func announcement(at now: Int64) -> Announcement? {
        guard rings || shown != nil else { return nil }
        defer { (shown, completed, failed, rings, latest) = (nil, 0, 0, false, now) }
        return Announcement(text: shown.map { NotifierLines.program(words(of: $0)) }, rings: rings)
    }

    // MARK: - Words

    private mutating func count(_ end: End) {
        switch end {
        case .completed: completed += 1
        case .failed: failed += 1
        // Its own text counts all tasks.
        case .all: break
        }
        shown = end
    }

    private func words(of end: End) -> SafeText {
        switch end {
        case .completed(let name) where completed + failed == 1: NotifierLines.completed(name)
        case .failed(let name, let cause) where completed + failed == 1: NotifierLines.failed(name, cause)
        case .completed, .failed: Self.counts(completed: completed, failed: failed, cancelled: 0)
        case .all(let completed, let failed, let cancelled):
            NotifierLines.allDone(Self.counts(completed: completed, failed: failed, cancelled: cancelled))
        }
    }

    private static func counts(completed: Int, failed: Int, cancelled: Int) -> SafeText {
        let words = [
            completed > 0 ? NotifierLines.completed(completed) : .empty,
            failed > 0 ? NotifierLines.failed(failed) : .empty,
            cancelled > 0 ? NotifierLines.cancelled(cancelled) : .empty,
        ].joined(by: ", ")
        return words.isEmpty ? NotifierLines.nothingToDo : words
    }
}
