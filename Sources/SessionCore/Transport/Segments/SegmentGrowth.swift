/// Decides periodically how many connections a download gets.
///
/// A configured number is used as it is. Otherwise the download begins with one connection, and gets more only when its
/// speed is known and the rest takes a while; they stay only if the overall speed has clearly risen, and then the next
/// step is tried. A server limited by the line rather than per connection keeps one: 1 GiB of an unlimited server took
/// 0.41 s over one connection and 0.69 s over 16.
struct SegmentGrowth: Sendable, Equatable {
    /// A sample of a download's state.
    struct Look: Sendable, Equatable {
        /// Milliseconds.
        var now: Int64
        /// Bytes received.
        var received: Int64
        /// Bytes missing.
        var rest: Int64
        /// Connections that receive bytes, including the lead.
        var working: Int
        /// Connections without a response.
        var opening: Int = 0
        /// Whether some are about to move to a faster source, so that a speed says nothing about their number.
        var isUneven = false
        /// Bytes per second of the lead; nil until known.
        var leadSpeed: Int64?
        /// Whether some sources have an unknown speed.
        var hasUntried = false
    }

    /// Milliseconds in which a new connection reaches its speed.
    static let settling: Int64 = 500
    /// Milliseconds over which a speed is measured.
    static let window: Int64 = 1_000
    /// Milliseconds that must be left at the present speed for another connection to pay off.
    static let worth: Int64 = 4_000
    /// Minimum overall speed-up, in percent.
    static let leastGain: Int64 = 125
    /// Connections that may break off after they have received bytes, before one less is tried.
    static let breaksAllowed = 3

    private enum Stage: Sendable, Equatable {
        /// The connections are reaching their speed.
        case settling(since: Int64)
        /// Their speed is being measured.
        case measuring(since: Int64, from: Int64)
        /// The number is final.
        case found
    }

    private struct Measure: Sendable, Equatable {
        var count: Int
        /// Bytes per second.
        var speed: Int64
    }

    /// The most connections: as configured, or as many as the server was found to accept.
    private(set) var limit: Int
    private let isAutomatic: Bool
    private let minimum: Int64
    /// The number wanted at present.
    private(set) var wanted: Int
    /// The speed measured with fewer connections.
    private var earlier: Measure?
    private var stage: Stage?
    private var breaks = 0

    /// - Parameter known: the number that the server is known to accept; nil if unknown.
    init(_ rule: Segmentation, known: Int? = nil) {
        limit = min(rule.limit, max(known ?? .max, 1))
        isAutomatic = rule.connections == .automatic
        minimum = max(rule.minimumSegment, SegmentPlan.grain)
        wanted = isAutomatic ? 1 : limit
    }

    /// Whether there can never be more than one.
    var isOver: Bool { limit <= 1 }

    /// Returns the number of connections wanted at present.
    mutating func look(_ look: Look) -> Int {
        guard isAutomatic, limit > 1 else { return limit }
        // With several sources, the first one need not be the fastest: the others are tried before its speed is
        // measured.
        if look.hasUntried, stage != .found, let speed = look.leadSpeed, isWorthIt(speed, look) {
            wanted = max(wanted, 2)
        }
        switch stage {
        case nil: stage = .settling(since: look.now)
        case .settling(let since):
            // Connections still being opened would count as if they received nothing.
            if look.opening > 0 || look.isUneven {
                stage = .settling(since: look.now)
            } else if look.now - since >= Self.settling {
                stage = .measuring(since: look.now, from: look.received)
            }
        case .measuring where look.isUneven: stage = .settling(since: look.now)
        case .measuring(let since, let from):
            guard look.now - since >= Self.window else { break }
            measured((look.received - from) * 1000 / (look.now - since), look)
        case .found: break
        }
        return min(wanted, limit)
    }

    private mutating func measured(_ speed: Int64, _ look: Look) {
        if let earlier, speed * 100 < earlier.speed * Self.leastGain {
            wanted = min(earlier.count, limit)
            stage = .found
            return
        }
        let isWorthIt = isWorthIt(speed, look)
        guard wanted < limit else { return stage = .found }
        guard isWorthIt else {
            // The speed may still fall, which would make another connection pay off.
            stage = .measuring(since: look.now, from: look.received)
            return
        }
        earlier = Measure(count: look.working, speed: speed)
        wanted = min(max(look.working, 1) * 2, limit)
        stage = .settling(since: look.now)
    }

    private func isWorthIt(_ speed: Int64, _ look: Look) -> Bool {
        speed > 0 && look.rest / speed >= Self.worth / 1000 && look.rest >= 2 * minimum
    }

    /// Restarts the measurement after connections have moved to another source.
    mutating func moved(now: Int64) {
        switch stage {
        case .settling, .measuring: stage = .settling(since: now)
        case nil, .found: break
        }
    }

    /// Lowers the limit after the server has refused a connection next to `working` ones.
    mutating func refused(working: Int) {
        limit = min(limit, max(working, 1))
        wanted = min(wanted, limit)
        if isAutomatic { stage = .found }
    }

    /// Records that a connection broke off after it had received bytes; returns false when the limit falls.
    ///
    /// One that had enough of them says nothing about the number: many servers end each response after a while.
    mutating func broke(after received: Int64, working: Int) -> Bool {
        guard received < SegmentPlan.grain else { return true }
        breaks += 1
        guard breaks >= Self.breaksAllowed else { return true }
        breaks = 0
        refused(working: working)
        return false
    }

    /// Keeps a final number when all connections end for a while, and restarts an unfinished measurement.
    mutating func interrupted() { if stage != .found { (stage, earlier) = (nil, nil) } }
}
