/// Reading the event log.
extension Model {
    /// Asks for the events of transfers when the log was opened, and for no more of them when it was closed.
    mutating func readLog() -> [Effect] {
        let isOpen = openLog != nil
        guard isOpen != log.isRead else { return [] }
        log.isRead = isOpen
        if !isOpen { log.replace(with: []) }
        return [.readLog(isOpen)]
    }

    /// Adds events of transfers; a reader who has scrolled up stays at the same line.
    mutating func receive(log more: [LogEntry]) {
        guard log.isRead else { return }
        log.append(more)
        keepLogPlace(past: more)
    }

    /// Keeps a reader who has scrolled up at the same line, below which there are new ones now.
    mutating func keepLogPlace(past more: [LogEntry]) {
        guard case .eventLog(var state) = overlay, state.scroll > 0 else { return }
        let filter = LogFilter(state.filter)
        state.scroll += more.count { entry in
            filter.admits(entry) { rows.holds($0, of: $1, rates: rates, now: shownNow) }
        }
        state.scroll = min(state.scroll, max(logEntries(filter: state.filter).count - 1, 0))
        overlay = .eventLog(state)
    }

    /// Asks what the event log is to show.
    mutating func askForLogFilter() {
        guard case .eventLog(let state) = overlay else { return }
        overlay = .prompt(Prompt(purpose: .filterLog(state), field: TextField(state.filter)))
    }
}
