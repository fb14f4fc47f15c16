/// The news that wait for one subscriber, in a bounded number of bytes: a value.
///
/// A row counts once however often it changes, because its state is asked for when it is wanted. Where more waits than the
/// bound allows, all of it is dropped and the subscriber is told so: it asks for the rows anew.
struct NoticeQueue: Sendable {
    /// The most bytes that wait.
    static let byteLimit = 1 << 20
    /// What a notice takes beside its texts, and what a row takes that has changed.
    private static let (noticeSize, rowSize) = (512, 48)

    private var notices: [TransferNotice] = []
    private var changed: Set<UInt64> = []
    private var moved: Set<UInt64> = []
    private var held: TransferNotice?
    private var limited: TransferNotice?
    private var bounded: TransferNotice?
    private var hasLost = false
    /// Bytes that wait, as far as they are counted.
    private(set) var byteCount = 0

    /// Whether nothing waits.
    var isEmpty: Bool {
        notices.isEmpty && changed.isEmpty && moved.isEmpty && held == nil && limited == nil && bounded == nil
            && !hasLost
    }

    /// Adds a notice; answers whether it is the first that waits.
    mutating func add(_ notice: TransferNotice) -> Bool {
        let wasEmpty = isEmpty
        switch notice {
        case .moved(let id): if !changed.contains(id), moved.insert(id).inserted { byteCount += Self.rowSize }
        case .changed(let id): if changed.insert(id).inserted { byteCount += Self.rowSize }
        case .held: held = notice
        case .limited: limited = notice
        case .bounded: bounded = notice
        case .event, .removed, .complaint, .idle, .saving, .saved, .lost:
            notices.append(notice)
            byteCount += Self.noticeSize + notice.textSize
        }
        if byteCount > Self.byteLimit { dropAll() }
        return wasEmpty
    }

    private mutating func dropAll() {
        (notices, changed, moved, byteCount) = ([], [], [], 0)
        hasLost = true
    }

    /// Removes what waits: first that something was lost, then events in their order, then the rows to ask for.
    mutating func take() -> [TransferNotice] {
        var result: [TransferNotice] = hasLost ? [.lost] : []
        result += notices
        result += [held, limited, bounded].compactMap(\.self)
        result += changed.sorted().map { .changed($0) }
        result += moved.subtracting(changed).sorted().map { .moved($0) }
        self = NoticeQueue()
        return result
    }
}

extension TransferNotice {
    /// Bytes of the texts that it has, roughly.
    fileprivate var textSize: Int {
        switch self {
        case .event(let event): (event.url?.utf8.count ?? 0) + event.what.textSize
        case .removed(let ids): ids.count * MemoryLayout<UInt64>.stride
        case .complaint(let sentence): sentence.string.utf8.count
        case .moved, .changed, .held, .limited, .bounded, .idle, .saving, .saved, .lost: 0
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
        case .sourceDropped(let url, let reason): url.utf8.count + reason.utf8.count
        case .sourceTurned(let url, let earlier, let reason):
            url.utf8.count + earlier.utf8.count + reason.utf8.count
        case .notice(let sentence): sentence.utf8.count
        case .completed(let completion): (completion.path?.utf8.count ?? 0) + (completion.note?.utf8.count ?? 0)
        case .failed(let failure): failure.message.utf8.count
        case .started, .progress, .paused, .resumed, .cancelled: 0
        }
    }
}
