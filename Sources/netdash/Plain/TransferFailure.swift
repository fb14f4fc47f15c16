/// Why a transfer failed, in the words of every output.
struct TransferFailure: Error, Sendable, Equatable {
    /// What the exit code makes of it.
    enum Category: Sendable, Equatable {
        case ordinary
        /// The disk is full or read-only.
        case disk
        /// The host could not be reached at all.
        case network
        /// A checksum or certificate was wrong.
        case check
    }

    /// A stable word for programs, such as `timedOut`.
    var kind: String
    var category: Category
    /// One sentence, without a trailing stop.
    var message: String
    var httpStatus: Int?
    /// The part that was kept, when one was.
    var partPath: String?
}
