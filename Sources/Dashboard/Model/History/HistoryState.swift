/// The history of ended tasks on the screen, newest first, with the sums of each day.
package struct HistoryState: Sendable, Equatable {
    /// A line of the screen.
    package enum Item: Sendable, Equatable {
        case day(HistoryDay)
        case end(HistoryLine)
    }

    /// The tasks to forget if the question is answered with yes.
    package enum Question: Sendable, Equatable {
        case highlighted
        /// All tasks that the filter shows.
        case shown
    }

    /// The entries that were read; nil before.
    package private(set) var page: HistoryPage?
    /// The sentence about a history that could not be read.
    package private(set) var problem: SafeText?
    /// The accepted filter, as it was typed.
    package private(set) var filter = ""
    /// The lines that the accepted filter shows.
    package private(set) var items: [Item] = []
    /// The number of tasks among the lines.
    package private(set) var count = 0
    /// The highlighted task, counted from the newest one that is shown.
    package private(set) var line = 0
    package private(set) var question: Question?
    /// Whether tasks have ended since it was read.
    private var isOld = false
    /// The ended tasks of the list, as seen last; nil before that.
    private var seenEnds: Int?
    /// The time at which it was read last.
    private var readAt: Int64 = 0

    package init() {}

    /// The days and tasks that a filter shows, each day before its tasks.
    package static func items(of page: HistoryPage, filter text: String) -> [Item] {
        let filter = HistoryFilter(text)
        var items: [Item] = []
        var heading: Int?
        var day = HistoryDay(day: .empty)
        for line in page.lines where filter.admits(line, in: page) {
            if heading == nil || line.day != day.day {
                if let heading { items[heading] = .day(day) }
                heading = items.count
                day = HistoryDay(day: line.day)
                items.append(.day(day))
            }
            day.add(line.entry)
            items.append(.end(line))
        }
        if let heading { items[heading] = .day(day) }
        return items
    }

    /// The entries that the accepted filter shows.
    var shown: [HistoryEntry] { items.compactMap(\.entry) }

    /// The highlighted task; nil without one.
    var current: HistoryEntry? { position.flatMap { items[$0].entry } }

    /// The position of the highlighted task among the lines.
    package var position: Int? {
        var number = -1
        return items.firstIndex { item in
            if item.entry != nil { number += 1 }
            return item.entry != nil && number == line
        }
    }

    // MARK: - Reading again

    /// Milliseconds between two readings at least; a long history is read less often.
    private static let shortestInterval = 1_000

    /// The time at which it is to be read again; nil while no task has ended, and while a question is open.
    var readingTime: Int64? {
        guard isOld, question == nil, let page else { return nil }
        return readAt + Int64(max(page.lines.count, Self.shortestInterval))
    }

    /// Records how many tasks of the list have ended.
    mutating func see(ends: Int, now: Int64) {
        if seenEnds == nil { readAt = now } else if seenEnds != ends { isOld = true }
        seenEnds = ends
    }

    /// Records that it is read again.
    mutating func readsAgain(now: Int64) { (isOld, readAt) = (false, now) }

    // MARK: - Changing

    /// Shows what was read, with the highlight on the same task unless that is the newest one; an open question stays,
    /// and then the history is read again later.
    mutating func show(_ page: HistoryPage?, problem: SafeText?) {
        guard question == nil else {
            isOld = true
            return
        }
        let kept = line > 0 ? current : nil
        (self.page, self.problem) = (page ?? HistoryPage([], now: 0, today: .empty), problem)
        arrange()
        if let kept, let found = shown.firstIndex(of: kept) { line = found }
    }

    mutating func setFilter(_ text: String) {
        (filter, line) = (text, 0)
        arrange()
    }

    /// Moves the highlight, which withdraws an open question.
    mutating func move(by steps: Int) {
        line = min(max(line + steps, 0), max(count - 1, 0))
        question = nil
    }

    mutating func ask(_ question: Question?) { self.question = question }

    /// Removes the entries of the open question and returns them.
    mutating func forgetAsked() -> [HistoryEntry] {
        let gone =
            switch question {
            case nil: [HistoryEntry]()
            case .highlighted: current.map { [$0] } ?? []
            case .shown: shown
            }
        let names = Set(gone)
        page?.lines.removeAll { names.contains($0.entry) }
        arrange()
        return gone
    }

    private mutating func arrange() {
        items = page.map { Self.items(of: $0, filter: filter) } ?? []
        count = items.count { $0.entry != nil }
        move(by: 0)
    }
}

extension HistoryState.Item {
    /// The ended task of the line; nil for a day.
    package var entry: HistoryEntry? {
        if case .end(let line) = self { line.entry } else { nil }
    }
}
