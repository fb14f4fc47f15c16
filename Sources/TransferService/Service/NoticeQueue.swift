/// Queues the notices of one subscriber within a bounded number of bytes.
///
/// A row counts once however often it changes, because its state is read on delivery. Beyond the bound everything is
/// dropped, and the subscriber is told to request the rows again.
struct NoticeQueue: Sendable {
    /// The notices of one delivery.
    struct Content: Equatable {
        var isCut = false
        var notices: [TransferNotice] = []
        /// Rows that have changed in more than numbers.
        var changed: [UInt64] = []
        /// Rows that have changed only in numbers.
        var moved: [UInt64] = []
    }

    /// The most bytes that wait for a subscriber in another process.
    static let byteLimit = 1 << 20
    /// The estimated bytes of a notice beside its texts, and of a changed row.
    private static let (noticeSize, rowSize) = (512, 48)

    private let interest: Interest
    private let byteLimit: Int
    /// The most rows of a delivery.
    private let rowLimit: Int
    /// The visible rows; nil for all.
    private var shown: Set<UInt64>?
    private var notices: [TransferNotice] = []
    private var changed: Set<UInt64> = []
    private var moved: Set<UInt64> = []
    /// Invisible rows with changed numbers.
    private var movedElsewhere: Set<UInt64> = []
    /// When these were delivered last, in milliseconds of the monotonic clock.
    private var restToldAt = Int64.min / 2
    private var backoffs: TransferNotice?
    private var limited: TransferNotice?
    private var bounded: TransferNotice?
    private var configured: TransferNotice?
    private var isCut = false
    /// The estimated bytes that wait.
    private(set) var byteCount = 0

    init(_ interest: Interest, byteLimit: Int = Self.byteLimit) {
        self.interest = interest
        self.byteLimit = byteLimit
        rowLimit = byteLimit == .max ? .max : 200
    }

    /// Whether nothing waits but the numbers of invisible rows.
    var isEmpty: Bool {
        notices.isEmpty && changed.isEmpty && moved.isEmpty && backoffs == nil && limited == nil && bounded == nil
            && configured == nil && !isCut
    }

    /// The moment at which invisible rows are due; nil where none has changed.
    var restDue: Int64? { movedElsewhere.isEmpty ? nil : restToldAt + Urgency.restDelay }

    // MARK: - Adding

    /// Adds a notice; returns how soon it is due, nil for one outside the interest.
    mutating func add(_ notice: TransferNotice) -> Urgency? {
        defer { if byteCount > byteLimit { dropAll() } }
        switch notice {
        case .event(let event): return put(event)
        case .changed(let id) where interest.showsRows:
            change(id)
            return .frame
        case .moved(let id), .changed(let id):
            guard interest.showsRows || interest.hearsProgress else { return nil }
            if changed.contains(id) { return .frame }
            guard shown?.contains(id) ?? true else {
                if movedElsewhere.insert(id).inserted { byteCount += Self.rowSize }
                return .rest
            }
            if moved.insert(id).inserted { byteCount += Self.rowSize }
            return .frame
        case .backoffs: backoffs = notice
        case .limited: limited = notice
        case .bounded: bounded = notice
        case .configured: configured = notice
        case .removed, .complaint, .resolved, .idle, .saving, .saved: append(notice)
        }
        return .immediate
    }

    private mutating func put(_ event: TransferEvent) -> Urgency? {
        let isTold = interest.hearsMilestones || event.what.mayEndRun
        if isTold { append(.event(event)) }
        if interest.showsRows { change(event.id) }
        guard isTold || interest.showsRows else { return nil }
        return event.what.isAddition ? .addition : .event
    }

    private mutating func append(_ notice: TransferNotice) {
        notices.append(notice)
        byteCount += Self.noticeSize + notice.textSize
    }

    private mutating func change(_ id: UInt64) {
        if changed.insert(id).inserted { byteCount += Self.rowSize }
    }

    private mutating func dropAll() {
        (notices, changed, moved, movedElsewhere, byteCount) = ([], [], [], [], 0)
        isCut = true
    }

    /// Sets the visible rows; returns whether any of them has undelivered numbers.
    mutating func show(_ ids: Set<UInt64>) -> Bool {
        shown = ids
        let late = movedElsewhere.intersection(ids)
        movedElsewhere.subtract(late)
        moved.formUnion(late)
        return !late.isEmpty
    }

    // MARK: - Taking

    /// Removes and returns what waits: the latest servers and limits after the other notices, and rows in the order of
    /// their ids.
    ///
    /// A bounded subscriber gets so many rows at once that their values are bounded too; the others wait for the next
    /// delivery.
    mutating func take(at now: Int64) -> Content {
        var content = Content(isCut: isCut, notices: notices)
        content.notices += [backoffs, limited, bounded, configured].compactMap(\.self)
        content.changed = Array(changed.sorted().prefix(rowLimit))
        if let restDue, restDue <= now {
            moved.formUnion(movedElsewhere)
            movedElsewhere = []
            restToldAt = now
        }
        content.moved = Array(moved.subtracting(changed).sorted().prefix(rowLimit))
        (notices, isCut) = ([], false)
        (backoffs, limited, bounded, configured) = (nil, nil, nil, nil)
        Self.remove(content.changed, from: &changed)
        Self.remove(content.moved + content.changed, from: &moved)
        byteCount = (changed.count + moved.count + movedElsewhere.count) * Self.rowSize
        return content
    }

    private static func remove(_ ids: [UInt64], from rows: inout Set<UInt64>) {
        if ids.count >= rows.count {
            rows.removeAll(keepingCapacity: rows.count < keptCapacity)
        } else {
            rows.subtract(ids)
        }
    }

    /// Sets with at most so many rows keep their memory for the next ones.
    private static let keptCapacity = 2_000
}

extension TransferNotice {
    /// An estimate of the texts' bytes.
    fileprivate var textSize: Int {
        switch self {
        case .event(let event): (event.url?.utf8.count ?? 0) + event.what.textSize
        case .removed(let ids): ids.count * MemoryLayout<UInt64>.stride
        case .complaint(let sentence): sentence.string.utf8.count
        case .resolved(let sentence, let complaint): sentence.string.utf8.count + (complaint?.string.utf8.count ?? 0)
        case .moved, .changed, .backoffs, .limited, .bounded, .configured, .idle, .saving, .saved: 0
        }
    }
}

extension TransferEvent.What {
    fileprivate var textSize: Int {
        switch self {
        case .added(let job): job.url.utf8.count + (job.path?.utf8.count ?? 0)
        case .response(_, _, _, let head):
            head?.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 } ?? 0
        case .retrying(_, _, let reason), .restarted(let reason): reason.utf8.count
        case .mirrorDropped(let url, let reason): url.utf8.count + reason.utf8.count
        case .mirrorSwitched(let url, let earlier, let reason):
            url.utf8.count + earlier.utf8.count + reason.utf8.count
        case .notice(let sentence): sentence.utf8.count
        case .completed(let completion): (completion.path?.utf8.count ?? 0) + (completion.note?.utf8.count ?? 0)
        case .failed(let failure): failure.message.utf8.count
        case .started, .progress, .paused, .resumed, .cancelled: 0
        }
    }
}
