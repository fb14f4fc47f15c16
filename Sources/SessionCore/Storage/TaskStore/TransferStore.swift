/// A place where a persistent session keeps its transfers from one run to the next.
///
/// It belongs to one thread, that of ``TaskStoreWriter``, and its calls block until what they write is kept.
/// ``TaskStore`` keeps it in a file of SQLite.
protocol TransferStore: AnyObject {
    /// A page of the transfers, in the order of their numbers: at most `limit` behind a number, from the first on without one.
    func load(after id: TransferID?, limit: Int) throws(SessionError) -> [StoredTransfer]
    /// Applies changes in their order: all of them are kept when this returns, none when it throws.
    func apply(_ changes: [TaskStoreChange]) throws(SessionError)
    /// Lets go of the place; nothing can be done with the store afterwards.
    func close()
}

/// A store that several workers drain together.
///
/// A worker claims transfers for a time, called a lease, and loses them when that is over: what it writes of them then is
/// refused.
protocol SharedTransferStore: TransferStore {
    /// Claims transfers without an end that no other worker has, by position and then by number: at most `count`, for `lease`
    /// milliseconds. Those that the worker has already are claimed anew and come first.
    func claim(_ count: Int, for worker: String, lease: Int64) throws(SessionError) -> [StoredTransfer]
}

extension TransferStore {
    /// Every transfer, by position and then by number.
    func all() throws(SessionError) -> [StoredTransfer] {
        try TransferPages.all { (after, limit) throws(SessionError) in try load(after: after, limit: limit) }
    }
}

/// All transfers of something that gives them by page.
enum TransferPages {
    /// Transfers of a page: a megabyte or two.
    static let length = 1_024

    /// Every transfer, by position and then by number.
    static func all(
        _ load: (TransferID?, Int) throws(SessionError) -> [StoredTransfer]
    ) throws(SessionError) -> [StoredTransfer] {
        var transfers: [StoredTransfer] = []
        try forEach(load) { transfers += $0 }
        return transfers.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    }

    /// Hands over page after page, in the order of the numbers.
    static func forEach(
        _ load: (TransferID?, Int) throws(SessionError) -> [StoredTransfer], _ body: ([StoredTransfer]) -> Void
    ) throws(SessionError) {
        var last: TransferID?
        while true {
            let page = try load(last, length)
            body(page)
            guard page.count == length else { return }
            last = page.last?.id
        }
    }
}

/// What opening a store has to say beside the store itself.
struct StoreOpening: Sendable {
    /// The transfers without an end, in their order.
    var unfinished: [StoredTransfer] = []
    /// The highest number that a transfer has ever had there.
    var highestID: UInt64 = 0
    /// A sentence for a person when something was lost.
    var notice: String?
}

/// One change of the store.
///
/// Changes are applied in the order they were made, and those that wait at one time are committed together.
enum TaskStoreChange: Sendable, Equatable {
    /// A new transfer, or one that begins again under its old number: replaces the row.
    case add(StoredTransfer)
    case wanted(TransferID, StoredTransfer.Wanted)
    /// What is wanted of transfers that have no task and keep what they have: one change, however many they are.
    case waiting([TransferID], StoredTransfer.Wanted)
    case finishing(TransferID, StoredTransfer.FinishingFile)
    case ended(TransferID, StoredEnd)
    /// The transfer stopped without an end, as when its program quits.
    case parked(TransferID, BodyCounts, partPath: String?)
    case label(TransferID, String?)
    case position(TransferID, Int64)
    /// How the upload goes on, and where it was begun.
    case upload(TransferID, String)
    case progress(TransferID, BodyCounts)
    case remove(TransferID)
}
