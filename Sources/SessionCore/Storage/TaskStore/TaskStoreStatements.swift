/// The statements that change the store, prepared once.
///
/// A class because closing the store has to let go of them first; it belongs to the store's thread.
final class TaskStoreStatements {
    private enum Key: CaseIterable {
        case add, wanted, finishing, ended, parked, label, position, upload, progress, removeTransfer, removeProgress

        var sql: String {
            switch self {
            case .add: TaskStoreRow.insert
            case .wanted: "UPDATE transfers SET wanted=?2, was_started=was_started OR ?3 WHERE id=?1"
            case .finishing:
                """
                UPDATE transfers SET standing='finishing', finishing_path=?2, finishing_device=?3, finishing_inode=?4
                WHERE id=?1 AND standing IN ('unfinished', 'finishing')
                """
            case .ended:
                """
                UPDATE transfers SET standing=?2, error_code=?3, error_message=?4, file_path=?6,
                part_path=CASE ?2 WHEN 'completed' THEN ?5 ELSE coalesce(?5, part_path) END,
                finished_at=?7, started_at=?8, status_code=?9, failed_attempts=?10, timings=?11,
                finishing_path=NULL, finishing_device=NULL, finishing_inode=NULL WHERE id=?1
                """
            case .parked: "UPDATE transfers SET part_path=coalesce(?2, part_path) WHERE id=?1"
            case .label: "UPDATE transfers SET label=?2 WHERE id=?1"
            case .position: "UPDATE transfers SET position=?2 WHERE id=?1"
            case .upload: "UPDATE transfers SET upload=?2 WHERE id=?1"
            case .progress:
                """
                INSERT OR REPLACE INTO progress (id, received, sent, expected_to_receive, expected_to_send)
                SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM transfers WHERE id=?1)
                """
            case .removeTransfer: "DELETE FROM transfers WHERE id=?1"
            case .removeProgress: "DELETE FROM progress WHERE id=?1"
            }
        }
    }

    private var statements: [Key: SQLiteStatement] = [:]

    init(_ database: SQLiteDatabase) throws(SQLiteFailure) {
        for key in Key.allCases { statements[key] = try SQLiteStatement(database, key.sql) }
    }

    /// Lets go of all of them; nothing can be applied afterwards.
    func finalize() { statements = [:] }

    func apply(_ change: TaskStoreChange) throws(SQLiteFailure) {
        switch change {
        case .add(let transfer):
            try run(.removeProgress, [.id(transfer.id)])
            try run(.add, TaskStoreRow.values(transfer))
            if transfer.counts != StoredTransfer.Counts() { try progress(transfer.id, transfer.counts) }
        case .wanted(let id, let wanted):
            try run(.wanted, [.id(id), .text(wanted.rawValue), .integer(wanted == .running)])
        case .waiting(let ids, let wanted):
            let word = SQLiteValue.text(wanted.rawValue)
            for id in ids { try run(.wanted, [.id(id), word, .integer(false)]) }
        case .finishing(let id, let file):
            try run(.finishing, [.id(id), .text(file.path), .bits(file.device), .bits(file.inode)])
        case .ended(let id, let end):
            try ended(id, end)
        case .parked(let id, let counts, let partPath):
            try run(.parked, [.id(id), .optional(partPath)])
            try progress(id, counts)
        case .label(let id, let label):
            try run(.label, [.id(id), .optional(label)])
        case .position(let id, let position):
            try run(.position, [.id(id), .integer(position)])
        case .upload(let id, let plan):
            try run(.upload, [.id(id), .text(plan)])
        case .progress(let id, let counts):
            try progress(id, counts)
        case .remove(let id):
            try run(.removeTransfer, [.id(id)])
            try run(.removeProgress, [.id(id)])
        }
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

    private func progress(_ id: TransferID, _ counts: StoredTransfer.Counts) throws(SQLiteFailure) {
        try run(
            .progress,
            [
                .id(id), .integer(counts.received), .integer(counts.sent), .optional(counts.expectedToReceive),
                .optional(counts.expectedToSend),
            ])
    }

    private func run(_ key: Key, _ values: [SQLiteValue]) throws(SQLiteFailure) {
        guard let statement = statements[key] else {
            throw SQLiteFailure(code: 21, message: "the store was closed")
        }
        try statement.run(values)
    }
}

extension SQLiteValue {
    static func id(_ id: TransferID) -> SQLiteValue { .bits(id.rawValue) }
}

@available(*, unavailable) extension TaskStoreStatements: Sendable {}
