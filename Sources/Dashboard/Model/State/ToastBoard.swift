/// The toasts that are shown, and the log of all that were.
package struct ToastBoard: Sendable {
    /// One line of the event log.
    package struct Event: Sendable, Equatable {
        /// Milliseconds of the model's clock.
        package var time: Int64
        package var text: SafeText
        package var isError: Bool
    }

    /// Events kept; older ones are dropped.
    static let eventLimit = 1000

    /// Newest last; the newest is the one that is drawn.
    private(set) var toasts: [Toast] = []
    package private(set) var events: [Event] = []

    /// The toast to draw: the newest; an error that it covers comes back when its short time is over.
    package var current: Toast? { toasts.last }

    /// The moment at which the next toast ends.
    var nextEnd: Int64? { toasts.map(\.expiresAt).min() }

    /// Shows a text, or counts it when it is already there; `logged` are its words in the event log, nil for none.
    ///
    /// Of the hints, which name keys, the first is kept longest where there is no room for all of the line.
    mutating func show(
        _ words: SafeText, hints: [SafeText] = [], isError: Bool, duration: Int64, now: Int64, logged: SafeText?,
        about id: UInt64? = nil
    ) {
        let text = words + Toast.tail(of: hints)
        if let logged { events.append(Event(time: now, text: logged, isError: isError)) }
        if events.count > ToastBoard.eventLimit { events.removeFirst(events.count - ToastBoard.eventLimit) }
        if let index = toasts.firstIndex(where: { $0.text == text && $0.isError == isError }) {
            var toast = toasts.remove(at: index)
            toast.count += 1
            toast.expiresAt = now + duration
            toasts.append(toast)
            return
        }
        if !isError { toasts.removeAll { !$0.isError } }
        toasts.append(Toast(words: words, hints: hints, isError: isError, expiresAt: now + duration, id: id))
        if toasts.count > 8 { toasts.removeFirst() }
    }

    /// Drops what has been shown long enough.
    mutating func expire(now: Int64) { toasts.removeAll { $0.expiresAt <= now } }

    /// Drops what begins with some words, because it is true no more.
    mutating func withdraw(_ words: SafeText) { toasts.removeAll { $0.text.string.hasPrefix(words.string) } }

    /// Lets errors go sooner, because somebody is there to read them: one that is covered now is still seen after that.
    mutating func hurry(now: Int64) {
        for index in toasts.indices where toasts[index].isError {
            toasts[index].expiresAt = min(toasts[index].expiresAt, now + 2 * Toast.duration)
        }
    }

    /// Drops what was said about transfers for which that does not matter any more.
    mutating func drop(where isMoot: (UInt64) -> Bool) {
        guard toasts.contains(where: { $0.id != nil }) else { return }
        toasts.removeAll { $0.id.map(isMoot) ?? false }
    }

    /// Drops what is shown; answers whether there was anything.
    mutating func dismiss() -> Bool {
        defer { toasts = [] }
        return !toasts.isEmpty
    }
}

/// A line above the footer that says what happened, for a while.
package struct Toast: Sendable, Equatable {
    /// The time that an ordinary toast stays, in milliseconds.
    static let duration: Int64 = 4000
    /// The time that a toast with an undo stays.
    static let undoDuration: Int64 = 5000
    /// The time that an error stays, unless Esc has dismissed it before or keys say that somebody is there.
    static let errorDuration: Int64 = 15_000

    /// The words that may be cut.
    package var words: SafeText
    /// The keys behind them, which are shown whole or not at all.
    package var hints: [SafeText] = []
    package var isError: Bool
    var expiresAt: Int64
    /// The transfer whose failure it tells; nil for anything else.
    var id: UInt64?
    /// The number of times in a row that it was said.
    package var count = 1

    /// All of it.
    package var text: SafeText { words + Self.tail(of: hints) }

    /// What stands behind the words: a dot, and the keys that help.
    package static func tail(of hints: some Sequence<SafeText>) -> SafeText {
        let keys = hints.joined(by: ", ")
        return keys.isEmpty ? "" : " · " + keys
    }
}

extension Toast {
    /// What is wrong with something that is being typed, for as long as it is.
    package init(problem: SafeText) { self.init(words: problem, isError: true, expiresAt: .max) }
}
