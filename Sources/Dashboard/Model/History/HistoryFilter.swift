/// The history's filter: the language of the list's filter, applied to ended tasks.
///
/// Words and patterns are searched in day, time, state, name, host, URL and reason, so that `2026-11` finds a month.
/// The word `today` also finds the tasks that ended today, and `age:<7d` finds the last seven days.
package struct HistoryFilter: Sendable {
    private let expression: FilterExpression
    private static let today = Array("today".utf8)

    package init(_ text: String) { expression = FilterExpression(text) }

    /// A sentence about what is invalid or still missing.
    package var problem: SafeText? { expression.problem }

    package func admits(_ line: HistoryLine, in page: HistoryPage) -> Bool {
        guard !expression.groups.isEmpty else { return true }
        let entry = line.entry
        let texts = [
            line.day, line.time, entry.outcome.state.word, entry.name, entry.host, entry.url, entry.reason ?? .empty,
        ]
        let text = texts.joined(by: " ").lowercased.string
        return expression.groups.contains { group in
            group.allSatisfy { holds($0.condition, line, text, page) != $0.isNegated }
        }
    }

    private func holds(
        _ condition: FilterExpression.Condition, _ line: HistoryLine, _ text: String, _ page: HistoryPage
    ) -> Bool {
        let entry = line.entry
        switch condition {
        case .text(let needle):
            return needle.bytes == Self.today && line.day == page.today
                || text.contains(String(decoding: needle.bytes, as: UTF8.self))
        case .pattern(let pattern): return pattern.isFound(in: text)
        case .host(let needle):
            return entry.host.lowercased.string.contains(String(decoding: needle.bytes, as: UTF8.self))
        // Only a queue's rows have workers, and its ends are in the queue.
        case .worker: return false
        case .error(let part, _): return entry.reason?.lowercased.string.contains(part) == true
        case .states(let states): return states.contains(entry.outcome.state)
        case .kinds(let kinds): return kinds.contains(entry.kind)
        case .range(let measure, let range):
            return figure(measure, of: entry, now: page.now).map(range.contains) == true
        }
    }

    private func figure(_ measure: FilterExpression.Measure, of entry: HistoryEntry, now: Int64) -> Double? {
        switch measure {
        case .size: Double(entry.bytes)
        case .speed: entry.rate
        case .age: Double(now) - Double(entry.endedAt)
        case .progress: nil
        }
    }
}
