/// How many connections besides their transfers' own each host has, and how many it was found to take.
struct BranchBoard: Sendable {
    private struct Cap: Sendable {
        var count: Int
        /// In milliseconds.
        var until: Int64
    }

    private var counts: [String: Int] = [:]
    private var caps: [String: Cap] = [:]
    /// Connections besides the transfers' own, to all hosts.
    private(set) var total = 0

    /// Connections besides the transfers' own.
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

    /// A server has refused more connections than so many to one download.
    mutating func remember(_ count: Int, for host: String, until time: Int64) {
        caps[host] = Cap(count: count, until: time)
    }

    /// The connections for one download that a server is known to take; nil when nobody knows.
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
    /// The branches that a transfer may have at a host now: transfers go first, and what they leave of the host's slots is
    /// free.
    func roomForBranches(of transfer: Transfer, at host: String) -> Int {
        let own = transfer.handler.segments?.branches.count { $0.host == host } ?? 0
        return max(roomBeside(host) - (branchBoard.count(of: host) - own), 0)
    }

    func branchBegan(at host: String) { branchBoard.began(at: host) }

    func branchEnded(at host: String) { branchBoard.ended(at: host) }
}
