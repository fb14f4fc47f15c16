import SessionCore

/// The place of one row: looked up once, after which the row is read and changed where it is.
///
/// A class because the table of rows and that of tasks lead to the same one, and because a table of thousands moves
/// pointers when it grows. Only who holds the bridge's lock touches it, so it is not sendable.
final class RowSlot {
    let id: UInt64
    /// Nil once the row was taken away.
    var row: TransferRow?

    init(_ row: TransferRow) {
        id = row.id
        self.row = row
    }

    // Reading one of these does not copy the row.

    var result: TransferResult? { row?.result }
    var isEarlier: Bool { row?.isEarlier == true }
    var wantsTask: Bool { row?.wantsTask == true }
    var queueKey: TransferRow.QueueKey? { row?.queueKey }
    var task: SessionTask? { row?.task }
    var lastStatus: TaskStatus? { row?.lastStatus }
    var moved: Int64 { row?.moved ?? 0 }
    var bodyCount: Int { row?.body.count ?? 0 }

    /// What its task is made of; nil when it wants none.
    var admission: RowAdmission? {
        guard wantsTask, let job = row?.job, let key = queueKey, let position = row?.storedPosition else { return nil }
        return RowAdmission(
            id: id, job: job, queueKey: key, storedPosition: position, isRetry: row?.isRetry == true,
            lacksSecrets: row?.lacksSecrets == true)
    }

    /// What is asked for when its run has ended.
    var ending: RowEnding? {
        guard let kind = row?.job.kind, let discardsPart = row?.discardsPart else { return nil }
        return RowEnding(
            id: id, kind: kind, wantsSHA256: row?.job.checksum?.algorithm == .sha256, output: row?.output ?? nil,
            startedAt: row?.startedAt ?? nil, wasResumed: row?.wasResumed == true, discardsPart: discardsPart)
    }
}

@available(*, unavailable) extension RowSlot: Sendable {}
