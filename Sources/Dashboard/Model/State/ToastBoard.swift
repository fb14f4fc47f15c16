/// The visible toasts, and the log of all toasts.
package struct ToastBoard: Sendable {
    /// One line of the event log.
    package struct Event: Sendable, Equatable {
        /// Milliseconds of the model's clock.
        package var time: Int64
        package var text: SafeText
        package var isError: Bool
    }

    /// The number of events kept; older ones are dropped.
    static let eventLimit = 1000

    /// Newest last; only the newest is drawn.
    private(set) var toasts: [Toast] = []
    package private(set) var events: [Event] = []

    /// The toast to draw, which is the newest; an error that it covers reappears when its short time is over.
    package var current: Toast? { toasts.last }

    var nextEnd: Int64? { toasts.map(\.expiresAt).min() }

    /// Shows a text, or counts it if it is already shown; `logged` is its text in the event log, nil for none.
    ///
    /// Hints name keys; if the line is too long, the first hint is kept longest. An answer to the user is read first: the
    /// failure of a transfer follows when its time is over.
    mutating func show(
        _ words: SafeText, hints: [SafeText] = [], isError: Bool, isAnswer: Bool = false, duration: Int64, now: Int64,
        logged: SafeText?, about id: UInt64? = nil
    ) {
        let text = words + Toast.tail(of: hints)
        if let logged { events.append(Event(time: now, text: logged, isError: isError)) }
        if events.count > ToastBoard.eventLimit { events.removeFirst(events.count - ToastBoard.eventLimit) }
        if let index = toasts.firstIndex(where: { $0.text == text && $0.isError == isError }) {
            var toast = toasts.remove(at: index)
            toast.count += 1
            toast.expiresAt = now + duration
            return put(toast)
        }
        if !isError { toasts.removeAll { !$0.isError } }
        put(
            Toast(
                words: words, hints: hints, isError: isError, isAnswer: isAnswer, expiresAt: now + duration, id: id))
        if toasts.count > 8 { toasts.removeFirst() }
    }

    private mutating func put(_ toast: Toast) {
        let isBelow = toast.id != nil && toasts.last?.isAnswer == true
        toasts.insert(toast, at: toasts.count - (isBelow ? 1 : 0))
    }

    mutating func expire(now: Int64) { toasts.removeAll { $0.expiresAt <= now } }

    /// Drops toasts that begin with some words, because they are no longer true.
    mutating func withdraw(_ words: SafeText) { toasts.removeAll { $0.text.string.hasPrefix(words.string) } }

    /// Drops a toast that has turned out wrong, and its latest event; returns whether there was one.
    mutating func takeBack(_ words: SafeText) -> Bool {
        toasts.removeAll { $0.words == words }
        guard let index = events.lastIndex(where: { $0.text == words }) else { return false }
        events.remove(at: index)
        return true
    }

    /// Shortens the time of errors, because the user is present: one that is covered now is still seen after that.
    mutating func hurry(now: Int64) {
        for index in toasts.indices where toasts[index].isError {
            toasts[index].expiresAt = min(toasts[index].expiresAt, now + 2 * Toast.duration)
        }
    }

    /// Drops toasts about transfers for which they no longer matter.
    mutating func drop(where isMoot: (UInt64) -> Bool) {
        guard toasts.contains(where: { $0.id != nil }) else { return }
        toasts.removeAll { $0.id.map(isMoot) ?? false }
    }

    /// Drops the visible toasts; returns whether there were any.
    mutating func dismiss() -> Bool {
        defer { toasts = [] }
        return !toasts.isEmpty
    }
}

/// A line above the footer that reports an event for a while.
package struct Toast: Sendable, Equatable {
    /// The time of an ordinary toast, in milliseconds.
    static let duration: Int64 = 4000
    /// The time of a toast with an undo, in milliseconds.
    static let undoDuration: Int64 = 5000
    /// The time of an error, in milliseconds, unless Esc dismisses it or keys show that the user is present.
    static let errorDuration: Int64 = 15_000

    /// The words that may be cut.
    package var words: SafeText
    /// The keys after them, each shown completely or not at all.
    package var hints: [SafeText] = []
    package var isError: Bool
    /// Whether it is the answer to what the user has asked for.
    var isAnswer = false
    var expiresAt: Int64
    /// The transfer whose failure it reports; nil for anything else.
    var id: UInt64?
    /// The number of consecutive repetitions.
    package var count = 1

    /// The words and the hints.
    package var text: SafeText { words + Self.tail(of: hints) }

    /// The end of a toast: a dot, and the keys that help.
    package static func tail(of hints: some Sequence<SafeText>) -> SafeText {
        let keys = hints.joined(by: ", ")
        return keys.isEmpty ? "" : " · " + keys
    }
}

extension Toast {
    /// The fault of text being typed, shown as long as it exists.
    package init(problem: SafeText) { self.init(words: problem, isError: true, expiresAt: .max) }
}
