import SessionSupport

/// The rows of servers that nobody asks at the moment; see ``HeldServer``.
///
/// A list may name a thousand files of a server that is away before the first of one that is there. The tasks of the
/// former only wait, so they take no room; and as long as one of them does, no more of them are needed: the rows of such
/// a server wait in a line of its own until it is asked by everybody again, or none of its tasks is left to ask it.
struct HeldRows: Sendable {
    private var origins: Set<String> = []
    /// The rows with tasks whose servers are held.
    private var occupants: [NumberKey: String] = [:]
    /// Their numbers by server.
    private var counts: [String: Int] = [:]
    /// The rows without tasks that were set aside, by server.
    private var lines: [String: RowIDs] = [:]
    /// The servers whose lines may go on.
    private var recalled: [String] = []

    /// Whether no server is held.
    var isEmpty: Bool { origins.isEmpty }

    /// How many rows have tasks that only wait for a server.
    var occupantCount: Int { occupants.count }

    /// Takes note of all servers that are held now; true when they are others than before, and the rows that have tasks
    /// have to be told anew.
    mutating func replace(with origins: Set<String>) -> Bool {
        guard origins != self.origins else { return false }
        self.origins = origins
        occupants = [:]
        counts = [:]
        recalled = lines.keys.filter { !origins.contains($0) }.sorted()
        return !origins.isEmpty
    }

    /// Takes note of a row that has a task.
    mutating func enter(_ id: UInt64, _ origin: String) {
        guard origins.contains(origin), occupants.updateValue(origin, forKey: NumberKey(id)) == nil else { return }
        counts[origin, default: 0] += 1
    }

    /// A row's task is at work no longer.
    mutating func leave(_ id: UInt64) {
        guard let origin = occupants.removeValue(forKey: NumberKey(id)), let count = counts[origin] else { return }
        counts[origin] = count > 1 ? count - 1 : nil
        if count == 1, lines[origin] != nil { recalled.append(origin) }
    }

    /// Sets a row aside whose server is held while another waits for it with a task; false for any other.
    mutating func setAside(_ id: UInt64, _ origin: String) -> Bool {
        guard isHeld(origin) else { return false }
        lines[origin, default: RowIDs()].append(id)
        return true
    }

    /// The next row that was set aside and whose server may be asked.
    mutating func popRecalled() -> UInt64? {
        while let origin = recalled.last {
            if !isHeld(origin), let id = lines[origin]?.popFirst() {
                if lines[origin]?.isEmpty == true { lines[origin] = nil }
                return id
            }
            recalled.removeLast()
        }
        return nil
    }

    /// Takes all rows that were set aside.
    mutating func takeAside() -> [UInt64] {
        var ids: [UInt64] = []
        for origin in lines.keys.sorted() {
            while let id = lines[origin]?.popFirst() { ids.append(id) }
        }
        lines = [:]
        recalled = []
        return ids
    }

    /// Whether rows of a server wait without tasks.
    private func isHeld(_ origin: String) -> Bool { origins.contains(origin) && counts[origin] != nil }
}

extension HeldRows {
    /// The only server of a job and the way to it; nil where its file may come from others too, which nobody has to wait for.
    static func server(of job: Job, _ ways: JobWays) -> String? {
        guard !job.options.contains(where: { $0.option == .mirror }), let origin = origin(of: job.url) else {
            return nil
        }
        return server(origin, way: ways.way(of: job))
    }

    /// What tells those who go one way to a server from all others.
    static func server(_ origin: String, way: String?) -> String { way.map { origin + " " + $0 } ?? origin }

    /// Scheme, host and port of a URL, as the library writes them for the servers that it holds; nil for a URL without
    /// a host.
    static func origin(of url: String) -> String? {
        let scan = URLScan(url)
        guard let scheme = scan.scheme.map({ url[$0].lowercased() }), let host = scan.host else { return nil }
        let port = scan.port.map { url[$0] } ?? ""
        return "\(scheme)://\(url[host].lowercased()):\(port.isEmpty ? scheme == "https" ? "443" : "80" : port)"
    }
}
