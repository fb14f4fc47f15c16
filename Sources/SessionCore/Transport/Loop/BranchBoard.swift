/// Counts the branches of each host, and remembers how many it was found to accept.
struct BranchBoard: Sendable {
    private struct Cap: Sendable {
        var count: Int
        /// In milliseconds.
        var until: Int64
    }

    private var counts: [String: Int] = [:]
    private var caps: [String: Cap] = [:]
    /// Branches to all hosts.
    private(set) var total = 0

    func count(of host: String) -> Int { counts[host] ?? 0 }

    mutating func began(at host: String) {
        counts[host, default: 0] += 1
        total += 1
    }

    mutating func ended(at host: String) {
        total -= 1
        let rest = count(of: host) - 1
        counts[host] = rest > 0 ? rest : nil
    }

    /// Remembers that a server has refused more than `count` connections for one download.
    mutating func remember(_ count: Int, for host: String, until time: Int64) {
        caps[host] = Cap(count: count, until: time)
    }

    /// Returns the known limit of a server's connections for one download; nil if unknown.
    mutating func cap(of host: String, now: Int64) -> Int? {
        guard let cap = caps[host] else { return nil }
        guard cap.until > now else {
            caps[host] = nil
            return nil
        }
        return cap.count
    }
}

extension LoopCore {
    /// Returns how many branches a transfer may have at a host now, including its own ones: as many as the lead transfers
    /// leave of the host's slots.
    func roomForBranches(beside own: Int, at host: String) -> Int {
        let room = max(roomBeside(host) - (branchBoard.count(of: host) - own), 0)
        return requestPace.isActive ? min(room, own + furtherRequests(to: host)) : room
    }

    func branchBegan(at host: String) { branchBoard.began(at: host) }

    func branchEnded(at host: String) { branchBoard.ended(at: host) }
}
