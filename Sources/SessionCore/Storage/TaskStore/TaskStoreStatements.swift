/// The prepared statements that change the store.
///
/// A class because they must be freed before the store is closed; it belongs to the store's thread.
final class TaskStoreStatements {
    private enum Key: CaseIterable {
        private static let removals = StoredTransfer.Wanted.allCases.filter(\.isRemoval)
            .map { "'\($0.rawValue)'" }.joined(separator: ", ")

        case add, wanted, waiting, finishing, ended, parked, part, label, annotation, position, upload, progress
        case removeTransfer, removeProgress, revision

        var sql: String {
            switch self {
            case .add: TaskStoreRow.insert
            case .wanted:
                TaskStoreRow.update(
                    [.wanted: "?2", .wasStarted: "was_started OR ?3"],
                    where: "id=?1 AND wanted NOT IN (\(Self.removals))")
            case .waiting: TaskStoreRow.update([.wanted: "?2"], where: "id=?1")
            case .finishing:
                TaskStoreRow.update(
                    [
                        .standing: "'finishing'", .finishingPath: "?2", .finishingDevice: "?3", .finishingInode: "?4",
                    ], where: "id=?1 AND standing IN ('unfinished', 'finishing')")
            case .ended:
                TaskStoreRow.update(
                    [
                        .standing: "?2", .errorCode: "?3", .errorMessage: "?4", .filePath: "?6",
                        .partPath: "CASE ?2 WHEN 'completed' THEN ?5 ELSE coalesce(?5, part_path) END",
                        .finishedAt: "?7", .startedAt: "?8", .statusCode: "?9", .failedAttempts: "?10",
                        .timings: "?11", .finishingPath: "NULL", .finishingDevice: "NULL", .finishingInode: "NULL",
                    ], where: "id=?1")
            case .parked: TaskStoreRow.update([.partPath: "coalesce(?2, part_path)"], where: "id=?1")
            case .part: TaskStoreRow.update([.partPath: "?2"], where: "id=?1")
            case .label: TaskStoreRow.update([.label: "?2"], where: "id=?1")
            case .annotation: TaskStoreRow.update([.annotation: "?2"], where: "id=?1")
            case .position: TaskStoreRow.update([.position: "?2"], where: "id=?1")
            case .upload: TaskStoreRow.update([.upload: "?2"], where: "id=?1")
            case .progress: TaskStoreRow.insertCounts
            case .removeTransfer: "DELETE FROM transfers WHERE id=?1"
            case .removeProgress: "DELETE FROM progress WHERE id=?1"
            case .revision: "UPDATE revisions SET revision=revision+1, transfers=transfers+?1"
            }
        }
    }

    private let database: SQLiteDatabase
    private var statements: [Key: SQLiteStatement] = [:]

    init(_ database: SQLiteDatabase) throws(SQLiteFailure) {
        self.database = database
        for key in Key.allCases { statements[key] = try SQLiteStatement(database, key.sql) }
    }

    /// Frees all statements; no change can be applied afterwards.
    func finalize() { statements = [:] }

    /// Applies changes and counts their commit, within a transaction.
    func apply(_ changes: [TaskStoreChange]) throws(SQLiteFailure) {
        var added = 0
        for change in changes { added += try apply(change) }
        try countCommit(adding: added)
    }

    /// Counts a commit that adds, or removes, this many transfers.
    func countCommit(adding count: Int) throws(SQLiteFailure) { try run(.revision, [.integer(Int64(count))]) }

    /// Applies a change; returns the change in the number of transfers.
    private func apply(_ change: TaskStoreChange) throws(SQLiteFailure) -> Int {
        switch change {
        case .add(let transfer):
            let removed = try remove(transfer.id)
            try run(.add, TaskStoreRow.values(transfer))
            if transfer.counts != BodyCounts() { try progress(transfer.id, transfer.counts) }
            return 1 - removed
        case .wanted(let id, let wanted):
            try run(.wanted, [.id(id), .text(wanted.rawValue), .integer(wanted == .running)])
        case .waiting(let ids, let wanted):
            let word = SQLiteValue.text(wanted.rawValue)
            for id in ids { try run(.waiting, [.id(id), word]) }
        case .finishing(let id, let file):
            try run(.finishing, [.id(id), .text(file.path), .bits(file.device), .bits(file.inode)])
        case .ended(let id, let end):
            try ended(id, end)
        case .parked(let id, let counts, let partPath):
            try run(.parked, [.id(id), .optional(partPath)])
            try progress(id, counts)
        case .part(let id, let path):
            try run(.part, [.id(id), .text(path)])
        case .label(let id, let label):
            try run(.label, [.id(id), .optional(label)])
        case .annotation(let id, let annotation):
            try run(.annotation, [.id(id), .optional(annotation)])
        case .position(let id, let position):
            try run(.position, [.id(id), .integer(position)])
        case .upload(let id, let plan):
            try run(.upload, [.id(id), .text(plan)])
        case .progress(let id, let counts):
            try progress(id, counts)
        case .remove(let id):
            return -(try remove(id))
        }
        return 0
    }

    /// Removes a transfer's row and its counts; returns the number of removed transfers.
    private func remove(_ id: TransferID) throws(SQLiteFailure) -> Int {
        try run(.removeTransfer, [.id(id)])
        let count = database.changes
        try run(.removeProgress, [.id(id)])
        return count
    }

    private func ended(_ id: TransferID, _ end: StoredEnd) throws(SQLiteFailure) {
        let words = TaskStoreRow.words(end.standing)
        try run(
            .ended,
            [
                .id(id), .text(words.standing), .optional(words.code), .optional(words.message),
                .optional(end.partPath), .optional(end.filePath), .real(end.finishedAt), .optional(end.startedAt),
                end.statusCode.map { .integer(Int64($0)) } ?? .null, .integer(Int64(end.failedAttempts)),
                .optional(end.timings?.text),
            ])
        try progress(id, end.counts)
    }

    private func progress(_ id: TransferID, _ counts: BodyCounts) throws(SQLiteFailure) {
        try run(
            .progress,
            [
                .id(id), .integer(counts.received), .integer(counts.sent), .optional(counts.expectedToReceive),
                .optional(counts.expectedToSend),
            ])
    }

    private func run(_ key: Key, _ values: [SQLiteValue]) throws(SQLiteFailure) {
        guard let statement = statements[key] else {
            throw SQLiteFailure(code: 21, message: StoreReasons.closed)
        }
        try statement.run(values)
    }
}

extension SQLiteValue {
    static func id(_ id: TransferID) -> SQLiteValue { .bits(id.rawValue) }
}

@available(*, unavailable) extension TaskStoreStatements: Sendable {}
