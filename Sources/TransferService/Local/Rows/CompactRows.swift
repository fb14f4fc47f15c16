import SessionSupport

/// Stores rows as little more than their URLs, by a growing index: untouched or merely paused rows, and, where rows are
/// invisible, ended ones.
///
/// Blocks contain 1024 rows. A block's text is dropped when all of its rows have ended and none is needed: an endless
/// list keeps a few bytes per row.
struct CompactRows {
    /// The state of a row; each case names the states that may follow it.
    enum Status: UInt8 {
        /// No such row. Next: `waiting`, `pausedInQueue`.
        case absent
        /// A complete row in ``RowTable``. Next: `absent`, `completed`, `cancelled`, `failed`.
        case expanded
        /// Waits for a task. Next: `expanded`, `pausedInQueue`.
        case waiting
        /// Waits for its user. Next: `expanded`, `waiting`.
        case pausedInQueue
        /// Ended. Next: `expanded`.
        case completed, cancelled, failed

        var hasEnded: Bool {
            switch self {
            case .completed, .cancelled, .failed: true
            case .absent, .expanded, .waiting, .pausedInQueue: false
            }
        }

        var rowState: RowState? {
            switch self {
            case .absent, .expanded: nil
            case .waiting: .queued
            case .pausedInQueue: .paused
            case .completed: .done
            case .cancelled: .cancelled
            case .failed: .failed
            }
        }
    }

    private struct Block {
        var urls = PrefixedTexts()
        /// The number of the terms that all rows share; ``terms`` is empty until they differ.
        var commonTerms: Int32?
        var terms: [Int32] = []
        var standings: [Status] = []
        /// Indices into the histories; empty without any.
        var histories: [UInt32] = []
        /// Indices into the failures; empty without any.
        var failures: [Int32] = []
        /// Rows that have not ended.
        var liveCount = 0

        /// Returns the URL at an offset; nil where the text was dropped.
        package func url(_ offset: Int) -> String? { offset < urls.count ? urls[offset] : nil }

        func terms(_ offset: Int) -> Int32 { terms.isEmpty ? commonTerms ?? 0 : terms[offset] }

        /// Later rows have no history yet.
        func history(_ offset: Int) -> UInt32 { offset < histories.count ? histories[offset] : 0 }

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
    /// How many of the latest failures are searched for an equal one.
    private static let failureWindow = 8

    /// Whether the text of ended rows may be dropped.
    var forgetsEnded = false
    private var blocks: [Block] = []
    /// The terms that jobs share, as jobs without URLs.
    private var templates: [Job] = []
    private var failures: [TransferResult] = []
    private var histories = PauseHistories()

    // MARK: - Adding

    /// Adds a row after all others.
    mutating func insert(_ job: Job, at index: Int, isPausedInQueue: Bool) {
        if templates.last?.differsOnlyInURL(from: job) != true {
            var template = job
            template.url = ""
            templates.append(template)
        }
        let number = index / Self.blockLength
        while blocks.count <= number {
            trimLast()
            blocks.append(Block())
        }
        let terms = Int32(truncatingIfNeeded: templates.count - 1)
        change(index) { block, offset in
            while block.standings.count < offset { block.append("", terms, .absent) }
            block.append(job.url, terms, isPausedInQueue ? .pausedInQueue : .waiting)
        }
    }

    /// Releases the unused capacity of a full block's text.
    private mutating func trimLast() {
        if let last = blocks.indices.last { blocks[last].urls.trim() }
    }

    // MARK: - Questions

    func standing(_ index: Int) -> Status {
        guard let (block, offset) = find(index) else { return .absent }
        return blocks[block].standings[offset]
    }

    /// The job of a compact row; nil for a complete row, and where its text was dropped.
    func job(_ index: Int) -> Job? {
        guard let (number, offset) = find(index), let terms = terms(number, offset),
            let url = blocks[number].url(offset)
        else { return nil }
        var job = templates[terms]
        job.url = url
        return job
    }

    /// What a compact row shares with others, as a job without a URL.
    func terms(_ index: Int) -> Job? {
        find(index).flatMap { terms($0.block, $0.offset) }.map { templates[$0] }
    }

    private func terms(_ number: Int, _ offset: Int) -> Int? {
        switch blocks[number].standings[offset] {
        case .absent, .expanded: nil
        case .waiting, .pausedInQueue, .completed, .cancelled, .failed: Int(blocks[number].terms(offset))
        }
    }

    /// Reads the states and the priorities of consecutive rows, without copies of their jobs; nil for a complete row.
    func readPlaces(_ indices: Range<Int>, _ body: (Int, (state: RowState, priority: TaskPriority)?) -> Void) {
        var index = indices.lowerBound
        while index < indices.upperBound {
            let (number, first) = index.quotientAndRemainder(dividingBy: Self.blockLength)
            let block = number < blocks.count ? blocks[number] : Block()
            let end = min(first + indices.upperBound - index, Self.blockLength)
            let known = max(min(end, block.standings.count), first)
            let common = block.commonTerms.map { templates[Int($0)].priority } ?? .normal
            for offset in first..<known {
                let priority = block.terms.isEmpty ? common : templates[Int(block.terms[offset])].priority
                body(index + offset - first, block.standings[offset].rowState.map { ($0, priority) })
            }
            for offset in known..<end { body(index + offset - first, nil) }
            index += end - first
        }
    }

    /// The result of an ended compact row; nil otherwise.
    func result(_ index: Int) -> TransferResult? {
        guard let (number, offset) = find(index) else { return nil }
        switch blocks[number].standings[offset] {
        case .absent, .expanded, .waiting, .pausedInQueue: return nil
        case .completed: return .completed
        case .cancelled: return .cancelled
        case .failed: return failures[Int(blocks[number].failures[offset])]
        }
    }

    func pauses(_ index: Int) -> [PauseHistories.Event] {
        guard let (number, offset) = find(index) else { return [] }
        return histories.events(of: blocks[number].history(offset))
    }

    // MARK: - Changing

    /// Pauses a waiting row, or lets a paused one wait; returns false for any other.
    mutating func hold(_ index: Int, _ isPausedInQueue: Bool) -> Bool {
        guard standing(index) == (isPausedInQueue ? .waiting : .pausedInQueue) else { return false }
        change(index) { block, offset in block.standings[offset] = isPausedInQueue ? .pausedInQueue : .waiting }
        return true
    }

    mutating func record(_ event: PauseHistories.Event, of index: Int) {
        guard let (number, offset) = find(index) else { return }
        let before = blocks[number].history(offset)
        let after = histories.next(after: before, event)
        change(index) { block, offset in
            while block.histories.count < block.standings.count { block.histories.append(0) }
            block.histories[offset] = after
        }
    }

    /// Marks a row as complete elsewhere.
    mutating func leave(_ index: Int) {
        change(index) { block, offset in
            if block.standings[offset].hasEnded { block.liveCount += 1 }
            block.standings[offset] = .expanded
        }
    }

    /// Makes an ended row compact again; returns false where it cannot.
    mutating func settle(_ index: Int, _ result: TransferResult) -> Bool {
        guard standing(index) == .expanded else { return false }
        let (ended, failure): (Status, Int32)
        switch result {
        case .completed: (ended, failure) = (.completed, 0)
        case .cancelled: (ended, failure) = (.cancelled, 0)
        case .failed: (ended, failure) = (.failed, number(of: result))
        case .unfinished: return false
        }
        change(index) { block, offset in
            if ended == .failed {
                while block.failures.count < block.standings.count { block.failures.append(0) }
                block.failures[offset] = failure
            }
            block.standings[offset] = ended
            block.liveCount -= 1
        }
        forget(index / Self.blockLength)
        return true
    }

    mutating func remove(_ index: Int) {
        guard standing(index) != .absent else { return }
        change(index) { block, offset in
            if !block.standings[offset].hasEnded { block.liveCount -= 1 }
            block.standings[offset] = .absent
        }
        forget(index / Self.blockLength)
    }

    /// Drops the text of a full block whose rows have all ended.
    private mutating func forget(_ number: Int) {
        guard forgetsEnded, blocks[number].liveCount == 0, blocks[number].standings.count == Self.blockLength else {
            return
        }
        blocks[number].urls = PrefixedTexts()
        blocks[number].histories = []
    }

    // MARK: - Helpers

    /// The number of a failure; mostly the same sentence repeats.
    private mutating func number(of failure: TransferResult) -> Int32 {
        for number in failures.indices.suffix(Self.failureWindow) where failures[number] == failure {
            return Int32(truncatingIfNeeded: number)
        }
        failures.append(failure)
        return Int32(truncatingIfNeeded: failures.count - 1)
    }

    private func find(_ index: Int) -> (block: Int, offset: Int)? {
        guard index >= 0 else { return nil }
        let (block, offset) = index.quotientAndRemainder(dividingBy: Self.blockLength)
        guard block < blocks.count, offset < blocks[block].standings.count else { return nil }
        return (block, offset)
    }

    /// Changes the block of an index without a copy.
    private mutating func change(_ index: Int, _ body: (inout Block, Int) -> Void) {
        let (number, offset) = index.quotientAndRemainder(dividingBy: Self.blockLength)
        guard blocks.indices.contains(number) else { return }
        body(&blocks[number], offset)
    }
}

/// Shares the pauses of waiting rows with equal histories: a pause of 100,000 rows is one entry, and each row keeps a
/// number.
struct PauseHistories {
    /// A pause or its end.
    struct Event: Equatable {
        var isPause: Bool
        var time: Timestamp
        /// Milliseconds of the monotonic clock.
        var moment: Int64
    }

    private struct Entry {
        /// The number of the preceding history; 0 for none.
        var before: UInt32
        var event: Event
    }

    /// Number 1 is the first entry.
    private var entries: [Entry] = []
    /// The histories that end with the latest event, by the number before.
    private var latest: [UInt32: UInt32] = [:]

    /// Returns the number of a history with one more event.
    mutating func next(after number: UInt32, _ event: Event) -> UInt32 {
        if entries.last?.event != event { latest = [:] }
        if let known = latest[number] { return known }
        entries.append(Entry(before: number, event: event))
        let next = UInt32(truncatingIfNeeded: entries.count)
        latest[number] = next
        return next
    }

    /// Oldest first.
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
