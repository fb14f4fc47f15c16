/// A persistent session's storage for its transfers between runs.
///
/// It belongs to the thread of ``TaskStoreWriter``, and its calls block until their writes are durable.
/// ``TaskStore`` uses an SQLite file.
protocol TransferStore: AnyObject {
    /// Returns a page of the transfers, in order of their numbers: at most `limit` after a number, or from the first
    /// one.
    func load(after id: TransferID?, limit: Int) throws(SessionError) -> [StoredTransfer]
    /// Applies changes in order: all of them are durable on return, none after an error.
    func apply(_ changes: [TaskStoreChange]) throws(SessionError)
    /// Closes the store, which is unusable afterwards.
    func close()
}

/// A store that several workers drain together.
///
/// A worker claims transfers for a time, called a lease; after its end, the worker's writes about them are refused.
protocol SharedTransferStore: TransferStore {
    /// Claims unfinished transfers that no other worker has, by position and then by number: at most `count`, for
    /// `lease` milliseconds. The worker's current claims are renewed and come first.
    func claim(_ count: Int, for worker: String, lease: Int64) throws(SessionError) -> [StoredTransfer]
}

extension TransferStore {
    /// Returns every transfer, by position and then by number.
    func all() throws(SessionError) -> [StoredTransfer] {
        try TransferPages.all { (after, limit) throws(SessionError) in try load(after: after, limit: limit) }
    }
}

/// Loads all transfers from a paged source.
enum TransferPages {
    /// Transfers of a page: a megabyte or two.
    static let length = 1_024

    /// Returns every transfer, by position and then by number.
    static func all(
        _ load: (TransferID?, Int) throws(SessionError) -> [StoredTransfer]
    ) throws(SessionError) -> [StoredTransfer] {
        var transfers: [StoredTransfer] = []
        try forEach(load) { transfers += $0 }
        return transfers.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
    }

    /// Delivers page after page, in order of the numbers.
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

/// The result of opening a store, besides the store itself.
struct StoreOpening: Sendable {
    /// The unfinished transfers, in list order.
    var unfinished: [StoredTransfer] = []
    /// The highest number of any transfer so far.
    var highestID: UInt64 = 0
    /// A sentence for the user if data was lost.
    var notice: String?
}

/// One change of the store.
///
/// Changes are applied in the order they were made, and pending ones are committed together.
enum TaskStoreChange: Sendable, Equatable {
    /// A new transfer, or one that restarts under its old number: replaces the row.
    case add(StoredTransfer)
    /// What a task does; a transfer that was removed stays so.
    case wanted(TransferID, StoredTransfer.Wanted)
    /// The wanted state that the program sets, otherwise unchanged: one change for any number of transfers.
    case waiting([TransferID], StoredTransfer.Wanted)
    case finishing(TransferID, StoredTransfer.FinishingFile)
    case ended(TransferID, StoredEnd)
    /// The transfer stopped without an end, as when its program quits.
    case parked(TransferID, BodyCounts, partPath: String?)
    /// The download has a part at a path.
    case part(TransferID, path: String)
    case label(TransferID, String?)
    /// What the program keeps beside the transfer.
    case annotation(TransferID, String?)
    case position(TransferID, Int64)
    /// The resumption of the upload, and its URL.
    case upload(TransferID, String)
    case progress(TransferID, BodyCounts)
    case remove(TransferID)
}
