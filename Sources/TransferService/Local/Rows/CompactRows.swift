import SessionSupport

/// Rows that are kept as little more than their URLs, by an index that grows: those that nothing but pauses has happened
/// to, and where nobody sees rows those that have ended.
///
/// They lie in blocks of a thousand. A block's text is given up when all of its rows have ended and nobody asks for
/// them: of a list without end there remain a few bytes for each row.
struct CompactRows {
    /// What is known of a row; each case names those that may follow it.
    enum Status: UInt8 {
        /// There is no such row. Next: waiting, held.
        case absent
        /// It is a whole row, elsewhere. Next: absent, completed, cancelled, failed.
        case whole
        /// It waits for a task. Next: whole, held.
        case waiting
        /// It waits for its user. Next: whole, waiting.
        case held
        /// It has ended. Next: whole.
        case completed, cancelled, failed

        var hasEnded: Bool {
            switch self {
            case .completed, .cancelled, .failed: true
            case .absent, .whole, .waiting, .held: false
            }
        }
    }

    private struct Block {
        var urls = PrefixedTexts()
        /// The number of the terms that all share, and where they do not those of each.
        var commonTerms: Int32?
        var terms: [Int32] = []
        var standings: [Status] = []
        /// What happened to each, as a number of the histories; empty while nothing has.
        var histories: [UInt32] = []
        /// Why each has failed, as a number of the failures; empty while none has.
        var failures: [Int32] = []
        /// Rows that have not ended.
        var liveCount = 0

        /// The URL of a row; nil where it was given up.
        package func url(_ place: Int) -> String? { place < urls.count ? urls[place] : nil }

        /// The number of a row's terms.
        func terms(_ place: Int) -> Int32 { terms.isEmpty ? commonTerms ?? 0 : terms[place] }

        /// The number of a row's history; later rows have none yet.
        func history(_ place: Int) -> UInt32 { place < histories.count ? histories[place] : 0 }

        mutating func append(_ url: String, _ number: Int32, _ standing: Status) {
            urls.append(url)
            let common = commonTerms ?? number
            commonTerms = common
            if terms.isEmpty, common != number { terms = Array(repeating: common, count: standings.count) }
            if common != number || !terms.isEmpty { terms.append(number) }
            standings.append(standing)
            if standing != .absent { liveCount += 1 }
        }
    }

    static let blockLength = 1024
    /// The latest failures among which the same one is looked for.
    private static let failureWindow = 8

    /// Whether the text of what has ended may be given up.
    var forgetsEnded = false
    private var blocks: [Block?] = []
    /// The terms that jobs share, as jobs without URLs.
    private var templates: [Job] = []
    private var failures: [TransferResult] = []
    private var histories = PauseHistories()

    // MARK: - Adding

    /// Adds a row behind all others.
    mutating func insert(_ job: Job, at index: Int, isHeld: Bool) {
        if templates.last?.differsOnlyInURL(from: job) != true {
            var template = job
            template.url = ""
            templates.append(template)
        }
        let number = index / Self.blockLength
        while blocks.count <= number {
            trimLast()
            blocks.append(nil)
        }
        let terms = Int32(truncatingIfNeeded: templates.count - 1)
        change(index) { block, place in
            while block.standings.count < place { block.append("", terms, .absent) }
            block.append(job.url, terms, isHeld ? .held : .waiting)
        }
    }

    /// Gives back what a full block's text has asked for in advance.
    private mutating func trimLast() {
        if let last = blocks.indices.last { blocks[last]?.urls.trim() }
    }

    // MARK: - Questions

    /// How a row stands.
    func standing(_ index: Int) -> Status {
        guard let (block, place) = find(index) else { return .absent }
        return blocks[block]?.standings[place] ?? .absent
    }

    /// The job of a row that is not whole; nil also where its text was given up.
    func job(_ index: Int) -> Job? {
        guard var job = terms(index), let (number, place) = find(index), let url = blocks[number]?.url(place) else {
            return nil
        }
        job.url = url
        return job
    }

    /// What a row that is not whole shares with others, as a job without a URL.
    func terms(_ index: Int) -> Job? {
        guard let (number, place) = find(index), let block = blocks[number] else { return nil }
        switch block.standings[place] {
        case .absent, .whole: return nil
        case .waiting, .held, .completed, .cancelled, .failed: return templates[Int(block.terms(place))]
        }
    }

    /// How a row has ended; nil while it has not, or elsewhere.
    func result(_ index: Int) -> TransferResult? {
        guard let (number, place) = find(index), let block = blocks[number] else { return nil }
        switch block.standings[place] {
        case .absent, .whole, .waiting, .held: return nil
        case .completed: return .completed
        case .cancelled: return .cancelled
        case .failed: return failures[Int(block.failures[place])]
        }
    }

    /// The pauses of a row so far.
    func pauses(_ index: Int) -> [PauseHistories.Event] {
        guard let (number, place) = find(index) else { return [] }
        return histories.events(of: blocks[number]?.history(place) ?? 0)
    }

    // MARK: - Changing

    /// Pauses a row that waits, or lets it wait again; false when it does neither.
    mutating func hold(_ index: Int, _ isHeld: Bool) -> Bool {
        guard standing(index) == (isHeld ? .waiting : .held) else { return false }
        change(index) { block, place in block.standings[place] = isHeld ? .held : .waiting }
        return true
    }

    /// Records that a row was paused or resumed.
    mutating func record(_ event: PauseHistories.Event, of index: Int) {
        guard let (number, place) = find(index) else { return }
        let before = blocks[number]?.history(place) ?? 0
        let after = histories.next(after: before, event)
        change(index) { block, place in
            while block.histories.count < block.standings.count { block.histories.append(0) }
            block.histories[place] = after
        }
    }

    /// A row becomes a whole one elsewhere.
    mutating func leave(_ index: Int) {
        change(index) { block, place in
            if block.standings[place].hasEnded { block.liveCount += 1 }
            block.standings[place] = .whole
        }
    }

    /// A whole row has ended and becomes a compact one again; false where it cannot.
    mutating func settle(_ index: Int, _ result: TransferResult) -> Bool {
        guard standing(index) == .whole else { return false }
        let (ended, failure): (Status, Int32)
        switch result {
        case .completed: (ended, failure) = (.completed, 0)
        case .cancelled: (ended, failure) = (.cancelled, 0)
        case .failed: (ended, failure) = (.failed, number(of: result))
        case .unfinished: return false
        }
        change(index) { block, place in
            if ended == .failed {
                while block.failures.count < block.standings.count { block.failures.append(0) }
                block.failures[place] = failure
            }
            block.standings[place] = ended
            block.liveCount -= 1
        }
        forget(index / Self.blockLength)
        return true
    }

    /// A whole row is removed.
    mutating func remove(_ index: Int) {
        guard standing(index) != .absent else { return }
        change(index) { block, place in
            if !block.standings[place].hasEnded { block.liveCount -= 1 }
            block.standings[place] = .absent
        }
        forget(index / Self.blockLength)
    }

    /// Gives up the text of a block that nothing is to come of any more.
    private mutating func forget(_ number: Int) {
        guard forgetsEnded, let block = blocks[number], block.liveCount == 0,
            block.standings.count == Self.blockLength
        else { return }
        blocks[number]?.urls = PrefixedTexts()
        blocks[number]?.histories = []
    }

    // MARK: - Parts

    /// The number of a failure; the same sentence follows itself mostly.
    private mutating func number(of failure: TransferResult) -> Int32 {
        for number in failures.indices.suffix(Self.failureWindow) where failures[number] == failure {
            return Int32(truncatingIfNeeded: number)
        }
        failures.append(failure)
        return Int32(truncatingIfNeeded: failures.count - 1)
    }

    private func find(_ index: Int) -> (block: Int, place: Int)? {
        guard index >= 0 else { return nil }
        let (block, place) = index.quotientAndRemainder(dividingBy: Self.blockLength)
        guard block < blocks.count, let count = blocks[block]?.standings.count, place < count else { return nil }
        return (block, place)
    }

    /// Changes the block of an index in its place.
    private mutating func change(_ index: Int, _ body: (inout Block, Int) -> Void) {
        let (number, place) = index.quotientAndRemainder(dividingBy: Self.blockLength)
        guard blocks.indices.contains(number) else { return }
        if blocks[number] == nil { blocks[number] = Block() }
        guard var block = blocks[number].take() else { return }
        body(&block, place)
        blocks[number] = block
    }
}

/// What has happened to rows that wait, shared by those to which the same has happened: a pause of a hundred thousand is
/// one entry, and each of them a number.
struct PauseHistories {
    /// A pause or its end.
    struct Event: Equatable {
        var isPause: Bool
        var time: Timestamp
        /// The moment of the monotonic clock.
        var moment: Int64
    }

    private struct Entry {
        /// What happened before, as a number; 0 for nothing.
        var before: UInt32
        var event: Event
    }

    /// The entry of number 1 is the first.
    private var entries: [Entry] = []
    /// The numbers of histories that end with the latest event, by what was before.
    private var latest: [UInt32: UInt32] = [:]

    /// The number of a history to which something is added.
    mutating func next(after number: UInt32, _ event: Event) -> UInt32 {
        if entries.last?.event != event { latest = [:] }
        if let known = latest[number] { return known }
        entries.append(Entry(before: number, event: event))
        let next = UInt32(truncatingIfNeeded: entries.count)
        latest[number] = next
        return next
    }

    /// The events of a history, oldest first.
    func events(of number: UInt32) -> [Event] {
        var events: [Event] = []
        var number = number
        while number > 0, number <= entries.count {
            let entry = entries[Int(number) - 1]
            events.append(entry.event)
            number = entry.before
        }
        return events.reversed()
    }
}
