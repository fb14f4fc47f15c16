/// Decides how many connections a download is to have: a value, asked from time to time.
///
/// Where a number was named it is that one. Else the download begins with one connection, and gets more only when its speed
/// is known and what is left takes a while; they stay only when the whole has become clearly faster by them, and the
/// next step is tried. A server that is limited by the line and not by connection keeps one.
struct SegmentGrowth: Sendable, Equatable {
    /// What is seen of a download.
    struct Look: Sendable, Equatable {
        /// Milliseconds.
        var now: Int64
        /// Bytes that are there.
        var received: Int64
        /// Bytes that are not.
        var rest: Int64
        /// Connections that receive something, the lead among them.
        var working: Int
        /// Connections that have not been answered.
        var opening: Int = 0
        /// Whether some of them are about to go to a faster source, so that a speed says nothing of their number.
        var isUneven = false
        /// Bytes per second of the lead, once known.
        var leadSpeed: Int64?
        /// Whether there are sources of which nobody knows how fast they are.
        var hasUntried = false
    }

    /// Milliseconds in which a new connection comes up to its speed.
    static let settling: Int64 = 500
    /// Milliseconds over which a speed is measured.
    static let window: Int64 = 1_000
    /// Milliseconds that have to be left at the present speed for another connection to be worth it.
    static let worth: Int64 = 4_000
    /// By which share the whole has to become faster, in hundredths.
    static let leastGain: Int64 = 125
    /// Connections that broke off after they had brought something, before one less is tried.
    static let breaksAllowed = 3

    private enum Stage: Sendable, Equatable {
        /// The connections come up to their speed, from a moment on.
        case settling(since: Int64)
        /// Their speed is measured.
        case measuring(since: Int64, from: Int64)
        /// The number is found.
        case found
    }

    private struct Measure: Sendable, Equatable {
        var count: Int
        /// Bytes per second.
        var speed: Int64
    }

    /// The most there may be: named, or what the server was found to take.
    private(set) var limit: Int
    private let isAutomatic: Bool
    private let minimum: Int64
    /// The number that is wanted now.
    private(set) var wanted: Int
    /// What fewer connections were measured to bring.
    private var earlier: Measure?
    private var stage: Stage?
    private var breaks = 0

    /// - Parameter known: the number that the server is known to take; nil when nobody knows.
    init(_ rule: Segmentation, known: Int? = nil) {
        limit = min(rule.limit, max(known ?? .max, 1))
        isAutomatic = rule.connections == .automatic
        minimum = max(rule.minimumSegment, SegmentPlan.grain)
        wanted = isAutomatic ? 1 : limit
    }

    /// Whether there can never be more than one.
    var isOver: Bool { limit <= 1 }

    /// The number of connections that is wanted now.
    mutating func look(_ look: Look) -> Int {
        guard isAutomatic, limit > 1 else { return limit }
        // Where there are several sources, the one that was named first need not be the fastest: the others are not left
        // untried until its speed is measured.
        if look.hasUntried, stage != .found, let speed = look.leadSpeed, isWorthIt(speed, look) {
            wanted = max(wanted, 2)
        }
        switch stage {
        case nil: stage = .settling(since: look.now)
        case .settling(let since):
            // Those that are still being opened would be measured as if they brought nothing.
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
            // It may become slower.
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

    /// Connections have gone to another source: their speed says nothing yet.
    mutating func moved(now: Int64) {
        switch stage {
        case .settling, .measuring: stage = .settling(since: now)
        case nil, .found: break
        }
    }

    /// The server has refused a connection while so many worked.
    mutating func refused(working: Int) {
        limit = min(limit, max(working, 1))
        wanted = min(wanted, limit)
        if isAutomatic { stage = .found }
    }

    /// A connection has broken off after it had brought something; false when there are to be fewer of them from now on.
    mutating func broke(working: Int) -> Bool {
        breaks += 1
        guard breaks >= Self.breaksAllowed else { return true }
        breaks = 0
        refused(working: working)
        return false
    }

    /// The connections were ended for a while: what was found counts on, and what was being measured is measured anew.
    mutating func interrupted() { if stage != .found { (stage, earlier) = (nil, nil) } }
}
