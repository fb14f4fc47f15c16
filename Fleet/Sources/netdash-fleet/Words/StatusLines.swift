internal import FleetQueue

/// The lines that commands print.
enum StatusLines {
    static let created = "Queue created"
    static func added(_ counts: AddCounts) -> String {
        var parts = ["\(counts.added) added"]
        if counts.known > 0 { parts.append("\(counts.known) already queued") }
        if counts.conflicting > 0 { parts.append("\(counts.conflicting) with another URL's destination") }
        if counts.refused > 0 { parts.append("\(counts.refused) refused") }
        return parts.joined(separator: ", ")
    }
    static func retried(_ count: Int) -> String { "\(count) jobs wait again" }
    static func released(_ host: String) -> String { "Workers may ask \(host) again" }
    static func notHeld(_ host: String) -> String { "\(host) is not held; see netdash-fleet status" }
    static func purged(_ count: Int) -> String { "\(count) jobs removed" }

    static func status(_ status: QueueStatus) -> String {
        let counts = JobState.allCases.map { "\(status.jobs[$0.rawValue] ?? 0) \($0.rawValue)" }
        var lines = [counts.joined(separator: ", ")]
        lines += section(
            "HOST",
            status.hosts.map { host in
                var parts = ["\(host.waiting) waiting", "\(host.running) running", "\(host.dead) dead"]
                if let held = host.held {
                    let cause = host.cause.map { ": " + PostgresText.printable($0) } ?? ""
                    parts.append("held for \(Int(held.rounded(.up))) s" + cause)
                }
                return (host.host, parts.joined(separator: ", "))
            })
        lines += section(
            "WORKER",
            status.workers.map { worker in
                var parts = ["\(worker.running) of \(worker.slots) slots", "heard of \(Int(worker.silent)) s ago"]
                if let obstacle = worker.obstacle { parts.append("no claims: \(PostgresText.printable(obstacle))") }
                return (worker.name, parts.joined(separator: ", "))
            })
        lines += section(
            "CAUSE OF DEATH",
            status.causes.map { cause in
                let count = "\(cause.count)"
                return (cause.cause, cause.example.map { "\(count), such as: \(PostgresText.printable($0))" } ?? count)
            })
        return lines.joined(separator: "\n")
    }

    private static func section(_ title: String, _ rows: [(String, String)]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let rows = rows.map { (PostgresText.printable($0.0), $0.1) }
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return ["", title] + rows.map { $0.0.padding(to: width) + $0.1 }
    }
}
