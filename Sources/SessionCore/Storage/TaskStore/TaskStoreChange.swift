/// One change of the store.
///
/// Changes are applied in the order they were made, and those that wait at one time are committed together.
enum TaskStoreChange: Sendable, Equatable {
    /// A new transfer, or one that begins again under its old number: replaces the row.
    case add(StoredTransfer)
    case wanted(TransferID, StoredTransfer.Wanted)
    case finishing(TransferID, StoredTransfer.FinishingFile)
    case ended(TransferID, StoredEnd)
    /// The transfer stopped without an end, as when its program quits.
    case parked(TransferID, StoredTransfer.Counts, partPath: String?)
    case label(TransferID, String?)
    case position(TransferID, Int64)
    case progress(TransferID, StoredTransfer.Counts)
    case remove(TransferID)
}
