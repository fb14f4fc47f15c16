import SessionSupport

/// The sources of one download, and what each may be used for.
///
/// The lead's source works at the front. The reference is the source whose response began the file: its own facts prove
/// its responses, and every other source has to be compared before its bytes are mixed with the received ones.
struct SourceBoard: Sendable, Equatable {
    /// Whether a source's file was found to be the same.
    enum Status: Sendable, Equatable {
        case unproven
        case proven
        /// Not used any more; a source dropped for a temporary reason may be tried again when no other is left.
        case dropped(String, passes: Bool)
    }

    struct Source: Sendable, Equatable {
        let url: String
        var standing = Status.unproven
        /// The facts that prove its responses to be of the compared version; nil before the comparison.
        var metadata: StoredMetadata?
        /// The request to its own URL or a redirect's target; nil before the first one.
        var request: TransferRequest?
        /// The connections it was found to accept; nil if unknown.
        var cap: Int?
        /// Connections that broke off.
        var breaks = 0
        /// Whether it has failed since the transfer last made progress, or its server has to be left alone.
        var hasFailed = false
        /// The end of the time for which its server asked to be left alone, in milliseconds of the monotonic clock; 0
        /// for none.
        var busyUntil: Int64 = 0
        /// Whether it sends no ranges.
        var lacksRanges = false
        /// Whether it was dropped because its file differs from the reference, which may be the wrong one.
        var hasOther = false
        /// Measured bytes per second of one connection.
        var rate: Int64?

        init(_ url: String) { self.url = url }

        var isDropped: Bool {
            switch standing {
            case .dropped: true
            case .unproven, .proven: false
            }
        }
    }

    /// The consequence of a failure of the lead's source.
    enum Turn: Sendable, Equatable {
        /// Another source becomes the lead at once; `wholly` if it sends no ranges.
        case next(Int, wholly: Bool)
        /// Every source has failed: the usual retry rules apply, with the milliseconds that are left of the time for
        /// which the lead's server asked; nil if it did not ask for any.
        case wait(milliseconds: Int64?)
        /// No source is left.
        case over
    }

    /// Connections of one source that may break off before it is dropped.
    static let breaksAllowed = 2

    private(set) var sources: [Source]
    /// The source at the front.
    var lead = 0
    /// The source that began the file; nil if it is none of these, or if nothing has begun.
    private(set) var reference: Int?
    /// Temporary failures of leads since the last round began: a round has no more than sources, because a server's wait
    /// may be over before the other ones have failed.
    private var tries = 0
    /// The source that made progress last.
    private var latestProgress: Int?
    /// Whether mixing sources gave a wrong file, so that a single source has to serve all of it.
    private(set) var isAlone = false
    /// Failures of such a source without progress between them.
    private var failuresAlone = 0
    /// Tries of it before the next source sends the file alone.
    private static let triesAlone = 3
    /// Whether a source other than the reference has served bytes.
    var isMixed = false
    /// The length announced together with the sources.
    let length: Int64?

    init(_ url: String, _ mirrors: Mirrors?) {
        var seen: Set<String> = [url]
        let others = (mirrors?.urls ?? []).filter { seen.insert($0).inserted }
        sources = ([url] + others.prefix(Mirrors.limit)).map { Source($0) }
        length = mirrors?.length
    }

    subscript(index: Int) -> Source {
        get { sources[index] }
        set { sources[index] = newValue }
    }

    /// Whether a source other than the reference is left.
    var hasOthers: Bool { sources.indices.contains { $0 != reference && !sources[$0].isDropped } }

    /// Whether the lead's source did not begin the file and has to be compared.
    var isLeadForeign: Bool { lead != reference }

    /// Whether a source's bytes may be mixed with the received ones.
    func isProven(_ index: Int) -> Bool {
        !sources[index].isDropped && (index == reference || sources[index].standing == .proven)
    }

    /// The sources that may be compared and were not yet.
    var unproven: [Int] {
        guard !isAlone else { return [] }
        return sources.indices.filter {
            $0 != reference && sources[$0].standing == .unproven && !sources[$0].hasFailed
        }
    }

    /// Whether some source other than the lead's has an unknown speed.
    var hasUntried: Bool {
        !isAlone
            && sources.indices.contains {
                $0 != lead && !sources[$0].isDropped && !sources[$0].hasFailed && !sources[$0].lacksRanges
                    && sources[$0].rate == nil
            }
    }

    /// Whether a source's server has asked to be left alone, and that time is not over.
    func isBusy(_ index: Int, now: Int64) -> Bool { sources[index].busyUntil > now }

    // MARK: - Events

    /// Adds sources that a response has named.
    mutating func add(_ urls: [String]) {
        for url in urls where sources.count <= Mirrors.limit && !sources.contains(where: { $0.url == url }) {
            sources.append(Source(url))
        }
    }

    /// Records that the lead's response begins the file.
    mutating func began() {
        for index in sources.indices where sources[index].standing == .proven {
            (sources[index].standing, sources[index].metadata) = (.unproven, nil)
        }
        reference = lead
    }

    /// Records which source began the file in an earlier run; nil for none of these.
    mutating func adopted(from index: Int?) {
        reference = index
        if let index, !sources[index].hasFailed { lead = index }
    }

    /// The sources that may be the lead, the present one first.
    var leads: [Int] {
        guard !isAlone else { return [lead] }
        let others = sources.indices.filter { $0 != lead && !sources[$0].isDropped && !sources[$0].lacksRanges }
        return sources[lead].isDropped ? others : [lead] + others
    }

    /// Makes another source the lead because the present one's server must not be used now.
    mutating func passOver(for index: Int) {
        sources[lead].hasFailed = true
        lead = index
        sources[index].hasFailed = false
    }

    /// Records that a source's file is the same.
    mutating func prove(_ index: Int, _ metadata: StoredMetadata) {
        guard !sources[index].isDropped else { return }
        sources[index].standing = .proven
        sources[index].metadata = metadata
    }

    /// Drops a source; returns false if it was dropped before.
    mutating func drop(_ index: Int, _ reason: String, passes: Bool) -> Bool {
        guard !sources[index].isDropped else { return false }
        sources[index].standing = .dropped(reason, passes: passes)
        return true
    }

    /// Records that a source's server asked to be left alone until a time.
    mutating func leaveAlone(_ index: Int, until time: Int64) {
        (sources[index].busyUntil, sources[index].hasFailed) = (time, true)
    }

    /// Lets sources be used again whose servers do not have to be left alone any longer.
    mutating func timePassed(_ now: Int64) {
        for index in sources.indices where sources[index].busyUntil > 0 && !isBusy(index, now: now) { reopen(index) }
    }

    /// Lets sources that failed be used again after progress, except those whose servers have to be left alone.
    mutating func progressed(now: Int64) {
        reopen(lead)
        for index in sources.indices where !isBusy(index, now: now) { reopen(index) }
        (latestProgress, tries, failuresAlone) = (lead, 0, 0)
    }

    private mutating func reopen(_ index: Int) { (sources[index].busyUntil, sources[index].hasFailed) = (0, false) }

    /// Decides on the next lead when the present one's source has failed.
    ///
    /// - Parameters:
    ///   - passes: whether the failure may be temporary.
    ///   - askedWait: the milliseconds for which its server asked to be left alone; nil if it did not.
    mutating func leadFailed(passes: Bool, askedWait: Int64? = nil, now: Int64) -> Turn {
        if isAlone { return leadFailedAlone(passes: passes, askedWait: askedWait) }
        timePassed(now)
        sources[lead].hasFailed = true
        if let askedWait { leaveAlone(lead, until: now + askedWait) }
        let open = sources.indices.filter { !sources[$0].isDropped && !sources[$0].hasFailed }
        let best =
            open.first { isProven($0) } ?? open.first
            ?? sources.indices.first { mayPass($0) && !sources[$0].hasFailed && !sources[$0].lacksRanges }
        if passes { tries += 1 }
        if let best, !passes || tries < sources.count { return next(best) }
        if let again = nextRound(now: now) { return again }
        // The received bytes are given up only when the file cannot be fetched otherwise.
        return sources.indices.first { mayPass($0) && sources[$0].lacksRanges }.map { next($0) } ?? .over
    }

    /// Begins a new round with the source that made progress last, or the one whose server may be asked first; nil if
    /// none is left.
    private mutating func nextRound(now: Int64) -> Turn? {
        for index in sources.indices where !isBusy(index, now: now) { reopen(index) }
        var left = sources.indices.filter { !sources[$0].isDropped }
        if left.isEmpty { left = sources.indices.filter { mayPass($0) && !sources[$0].lacksRanges } }
        let open = left.filter { !isBusy($0, now: now) }
        let best = [latestProgress, lead].lazy.compactMap(\.self).first(where: open.contains) ?? open.first
        guard let again = best ?? left.min(by: { sources[$0].busyUntil < sources[$1].busyUntil }) else { return nil }
        _ = next(again)
        (sources[again].hasFailed, tries) = (false, 0)
        return .wait(milliseconds: isBusy(again, now: now) ? sources[again].busyUntil - now : nil)
    }

    /// Decides on the next try of a file that each source serves alone: the next one begins it anew, because its bytes
    /// must not join the others'.
    ///
    /// One that was dropped for a temporary reason comes back when no other is left.
    private mutating func leadFailedAlone(passes: Bool, askedWait: Int64?) -> Turn {
        let others = sources.indices.filter { $0 != lead }
        let fresh = others.first { !sources[$0].isDropped }
        failuresAlone += 1
        if passes, fresh == nil || failuresAlone < Self.triesAlone {
            // What one server asks for must not hold up another one.
            return .wait(milliseconds: fresh == nil ? askedWait : nil)
        }
        guard let other = fresh ?? others.first(where: { mayPass($0) }) else { return .over }
        if !sources[lead].isDropped { _ = drop(lead, MirrorReasons.failedAlone, passes: passes) }
        (reference, failuresAlone) = (nil, 0)
        _ = next(other)
        return .next(other, wholly: true)
    }

    private mutating func next(_ index: Int) -> Turn {
        if sources[index].isDropped { sources[index].standing = .unproven }
        lead = index
        return .next(index, wholly: sources[index].lacksRanges && index != reference)
    }

    /// Whether a source was dropped for a temporary reason, or for one that only matters next to other sources.
    private func mayPass(_ index: Int) -> Bool {
        if case .dropped(_, passes: true) = sources[index].standing { return true }
        return false
    }

    /// Returns the source that has to serve all of a file whose complete bytes were wrong; nil when none is left.
    ///
    /// Sources dropped for differing from the wrong file come behind the others, and last any that were dropped for a
    /// temporary reason.
    mutating func combinationWasWrong(_ reason: String) -> Int? {
        if !isMixed, let reference {
            _ = drop(reference, reason, passes: false)
            sources[reference].hasOther = false
        }
        (isAlone, failuresAlone) = (true, 0)
        isMixed = false
        reference = nil
        let open =
            sources.indices.first { !sources[$0].isDropped } ?? sources.indices.first { sources[$0].hasOther }
            ?? sources.indices.first { mayPass($0) }
        guard let open else { return nil }
        if sources[open].isDropped { (sources[open].standing, sources[open].hasOther) = (.unproven, false) }
        lead = open
        return open
    }

    // MARK: - Spreading

    /// The present connections of a source.
    struct Load: Sendable, Equatable {
        var connections = 0
        /// Bytes per second of the ones whose speed is known.
        var speed: Int64 = 0
        /// Connections too new for their speed to be known.
        var young = 0
        /// Further connections that may be made.
        var room = Int.max
    }

    /// Records the speed of one connection of each source.
    mutating func measured(_ loads: [Load]) {
        for (index, load) in loads.enumerated() where load.connections > load.young && load.speed > 0 {
            sources[index].rate = load.speed / Int64(load.connections - load.young)
        }
    }

    /// Returns the source for a further connection: one without any, otherwise the one with the fewest connections
    /// among the sources that are about as fast per connection as the fastest.
    func best(_ loads: [Load]) -> Int? {
        let open = sources.indices.filter { mayBranch($0) && loads[$0].room > 0 && isBelowCap($0, loads[$0]) }
        if let fresh = open.first(where: { loads[$0].connections == 0 && sources[$0].rate == nil }) { return fresh }
        let fastest = open.map { sources[$0].rate ?? 0 }.max() ?? 0
        return open.filter { (sources[$0].rate ?? 0) * 4 >= fastest * 3 }
            .min { loads[$0].connections < loads[$1].connections }
    }

    /// Connections to be moved to another source.
    struct Move: Sendable, Equatable {
        var from: Int
        var to: Int
        /// The most connections to move.
        var count: Int
    }

    /// Returns the connections to move: all of a source at most half as fast as another, otherwise one to a source
    /// without any.
    func move(_ loads: [Load]) -> Move? {
        guard let to = best(loads) else { return nil }
        let givers = sources.indices.filter { $0 != to && branches(of: $0, loads) > 0 }
        let room = min(loads[to].room, sources[to].cap.map { $0 - loads[to].connections } ?? .max)
        let fastest = sources.indices.filter { !sources[$0].isDropped }.compactMap { sources[$0].rate }.max() ?? 0
        let slowest = givers.filter { sources[$0].rate != nil }.min {
            (sources[$0].rate ?? 0) < (sources[$1].rate ?? 0)
        }
        if let slowest, let slow = sources[slowest].rate, fastest >= 2 * slow {
            return Move(from: slowest, to: to, count: min(branches(of: slowest, loads), room))
        }
        guard loads[to].connections == 0, sources[to].rate == nil else { return nil }
        return givers.max { loads[$0].connections < loads[$1].connections }
            .flatMap { loads[$0].connections > 1 ? Move(from: $0, to: to, count: 1) : nil }
    }

    private func branches(of index: Int, _ loads: [Load]) -> Int { loads[index].connections - (index == lead ? 1 : 0) }

    /// Whether branches may be made to a source.
    private func mayBranch(_ index: Int) -> Bool {
        guard isProven(index), !sources[index].hasFailed, !isAlone || index == lead else { return false }
        return index == reference || sources[index].metadata?.strongValidator != nil
    }

    private func isBelowCap(_ index: Int, _ load: Load) -> Bool {
        sources[index].cap.map { load.connections < $0 } ?? true
    }
}
