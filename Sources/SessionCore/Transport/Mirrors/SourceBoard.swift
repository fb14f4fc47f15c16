import SessionSupport

/// The sources of one download, and which of them may bring what: a value.
///
/// The lead's source works at the front. The reference is the one whose answer began the file: what it says proves its own
/// answers, and every other source has to be compared before a byte of it is mixed with those that are here.
struct SourceBoard: Sendable, Equatable {
    /// What is known of a source.
    enum Status: Sendable, Equatable {
        case unproven
        case proven
        /// It is not asked any more; one that was dropped for something that passes may be asked again when nobody else is left.
        case dropped(String, passes: Bool)
    }

    struct Source: Sendable, Equatable {
        let url: String
        var standing = Status.unproven
        /// What proves that its answers are of the version that was compared; nil before anything was.
        var facts: StoredFacts?
        /// The request that its own or a redirect's place gets; nil before it was asked.
        var request: TransferRequest?
        /// The connections that it was found to take; nil when nobody knows.
        var cap: Int?
        /// Connections that broke off.
        var breaks = 0
        /// Whether it has failed since the transfer brought something.
        var hasFailed = false
        /// Whether it sends the file only as a whole.
        var lacksRanges = false
        /// Whether it was dropped because its file is another one than the reference's, which may be the wrong one.
        var hasOther = false
        /// Bytes per second of one connection, as far as it was measured.
        var rate: Int64?

        init(_ url: String) { self.url = url }

        var isDropped: Bool {
            switch standing {
            case .dropped: true
            case .unproven, .proven: false
            }
        }
    }

    /// What follows a failure of the lead's source.
    enum Turn: Sendable, Equatable {
        /// Another source takes its place at once; `wholly` where it sends nothing but the whole.
        case next(Int, wholly: Bool)
        /// Every source has failed by now: whatever is done about one that fails is done.
        case wait
        /// No source is left.
        case over
    }

    /// Connections of one source that may break off before it is dropped.
    static let breaksAllowed = 2

    private(set) var sources: [Source]
    /// The source at the front.
    var lead = 0
    /// The source that began the file; nil when it is none of these, or nothing has begun.
    private(set) var reference: Int?
    /// Whether bytes of several sources turned out to be no file together, so that one has to bring all of it.
    private(set) var isAlone = false
    /// Whether a source has brought bytes beside those of the reference.
    var isMixed = false
    /// The length that was announced by who named the sources.
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

    /// Whether a source is left besides the one that began the file.
    var hasOthers: Bool { sources.indices.contains { $0 != reference && !sources[$0].isDropped } }

    /// Whether the lead's source has to be compared with what is here, whose beginning came from elsewhere.
    var isLeadForeign: Bool { lead != reference }

    /// Whether a source's bytes may be mixed with those that are here.
    func isProven(_ index: Int) -> Bool {
        !sources[index].isDropped && (index == reference || sources[index].standing == .proven)
    }

    /// The sources whose file was not compared yet, and may be.
    var unproven: [Int] {
        guard !isAlone else { return [] }
        return sources.indices.filter {
            $0 != reference && sources[$0].standing == .unproven && !sources[$0].hasFailed
        }
    }

    /// Whether there are sources besides the lead's of which nobody knows how fast they are.
    var hasUntried: Bool {
        !isAlone
            && sources.indices.contains {
                $0 != lead && !sources[$0].isDropped && !sources[$0].hasFailed && !sources[$0].lacksRanges
                    && sources[$0].rate == nil
            }
    }

    // MARK: - What happens to sources

    /// A source was named by an answer.
    mutating func add(_ urls: [String]) {
        for url in urls where sources.count <= Mirrors.limit && !sources.contains(where: { $0.url == url }) {
            sources.append(Source(url))
        }
    }

    /// The lead's answer begins the file.
    mutating func began() {
        for index in sources.indices where sources[index].standing == .proven {
            (sources[index].standing, sources[index].facts) = (.unproven, nil)
        }
        reference = lead
    }

    /// What is here was begun by a source in an earlier run; nil for one that is not among these.
    mutating func adopted(from index: Int?) {
        reference = index
        if let index, !sources[index].hasFailed { lead = index }
    }

    /// The sources that may be the lead, that of now first.
    var leads: [Int] {
        guard !isAlone else { return [lead] }
        let others = sources.indices.filter { $0 != lead && !sources[$0].isDropped && !sources[$0].lacksRanges }
        return sources[lead].isDropped ? others : [lead] + others
    }

    /// Another source takes the lead because the server of the present one is not to be asked now.
    mutating func passOver(for index: Int) {
        sources[lead].hasFailed = true
        lead = index
        sources[index].hasFailed = false
    }

    /// A source's file is the one that is here.
    mutating func prove(_ index: Int, _ facts: StoredFacts) {
        guard !sources[index].isDropped else { return }
        sources[index].standing = .proven
        sources[index].facts = facts
    }

    /// A source is not asked any more; false when it was not before.
    mutating func drop(_ index: Int, _ reason: String, passes: Bool) -> Bool {
        guard !sources[index].isDropped else { return false }
        sources[index].standing = .dropped(reason, passes: passes)
        return true
    }

    /// Bytes have come: who has failed before may be asked again.
    mutating func progressed() {
        for index in sources.indices where sources[index].hasFailed { sources[index].hasFailed = false }
    }

    /// Decides who goes on when the lead's source has failed.
    ///
    /// - Parameter passes: whether it may be right again later.
    mutating func leadFailed(passes: Bool) -> Turn {
        sources[lead].hasFailed = true
        let open = sources.indices.filter { !sources[$0].isDropped && !sources[$0].hasFailed }
        let best =
            open.first { isProven($0) } ?? open.first
            ?? sources.indices.first { mayPass($0) && !sources[$0].hasFailed && !sources[$0].lacksRanges }
        if let best { return next(best) }
        for index in sources.indices { sources[index].hasFailed = false }
        if let again = sources.indices.first(where: { !sources[$0].isDropped }) {
            if !passes { lead = again }
            return .wait
        }
        // What is here is given up only when there is no other way to the file.
        return sources.indices.first { mayPass($0) && sources[$0].lacksRanges }.map { next($0) } ?? .over
    }

    private mutating func next(_ index: Int) -> Turn {
        if sources[index].isDropped { sources[index].standing = .unproven }
        lead = index
        return .next(index, wholly: sources[index].lacksRanges && index != reference)
    }

    /// Whether a source was dropped for something that may pass, or matters only while there are others.
    private func mayPass(_ index: Int) -> Bool {
        if case .dropped(_, passes: true) = sources[index].standing { return true }
        return false
    }

    /// The whole was wrong: one source has to bring all of it from now on; nil when none is left.
    ///
    /// Those whose file was another one than the wrong one come last.
    mutating func combinationWasWrong(_ reason: String) -> Int? {
        if !isMixed, let reference {
            _ = drop(reference, reason, passes: false)
            sources[reference].hasOther = false
        }
        isAlone = true
        isMixed = false
        reference = nil
        let open = sources.indices.first { !sources[$0].isDropped } ?? sources.indices.first { sources[$0].hasOther }
        guard let open else { return nil }
        if sources[open].isDropped { (sources[open].standing, sources[open].hasOther) = (.unproven, false) }
        lead = open
        return open
    }

    // MARK: - Spreading

    /// What the connections of a source bring at the moment.
    struct Load: Sendable, Equatable {
        var connections = 0
        /// Bytes per second of those whose speed is known.
        var speed: Int64 = 0
        /// Connections that have worked too short for their speed to be known.
        var young = 0
        /// Connections that may be made besides.
        var room = Int.max
    }

    /// Takes down how fast one connection of each source is.
    mutating func measured(_ loads: [Load]) {
        for (index, load) in loads.enumerated() where load.connections > load.young && load.speed > 0 {
            sources[index].rate = load.speed / Int64(load.connections - load.young)
        }
    }

    /// The source that a further connection is best made to: one that has none yet, else of those that are about as fast for
    /// each connection as the fastest the one with the fewest.
    func best(_ loads: [Load]) -> Int? {
        let open = sources.indices.filter { mayBranch($0) && loads[$0].room > 0 && hasPlace($0, loads[$0]) }
        if let fresh = open.first(where: { loads[$0].connections == 0 && sources[$0].rate == nil }) { return fresh }
        let fastest = open.map { sources[$0].rate ?? 0 }.max() ?? 0
        return open.filter { (sources[$0].rate ?? 0) * 4 >= fastest * 3 }
            .min { loads[$0].connections < loads[$1].connections }
    }

    /// Connections that are better made to another source.
    struct Move: Sendable, Equatable {
        var from: Int
        var to: Int
        /// How many of them at most.
        var count: Int
    }

    /// The connections that are to change their source: all of one that is at most half as fast as another, else one for a
    /// source that has none.
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

    /// Whether connections besides the lead may be made to a source.
    private func mayBranch(_ index: Int) -> Bool {
        guard isProven(index), !sources[index].hasFailed, !isAlone || index == lead else { return false }
        return index == reference || sources[index].facts?.strongValidator != nil
    }

    private func hasPlace(_ index: Int, _ load: Load) -> Bool {
        sources[index].cap.map { load.connections < $0 } ?? true
    }
}
