import Dashboard
import SessionCore

/// The place of one row: looked up once, after which the row is read and changed where it is.
///
/// A class because the table of rows and that of tasks lead to the same one, and because a table of thousands moves
/// pointers when it grows. Only who holds the bridge's lock touches it, so it is not sendable.
final class RowSlot {
    /// The bridge's lock excludes what the runtime would look for at every access.
    @exclusivity(unchecked) var row: TransferRow

    init(_ row: consuming TransferRow) {
        self.row = row
    }

    var id: UInt64 { row.id }

    /// The body bytes that moved.
    var moved: Int64 {
        let status = row.result == nil ? row.task?.status ?? row.lastStatus : row.lastStatus
        return row.job.kind == .upload ? status.sent : status.received
    }

    /// What its task is made of.
    var admission: RowAdmission {
        var admission = RowAdmission(
            id: row.id, job: row.job, queueKey: row.queueKey, lacksSecrets: row.lacksSecrets)
        // The kept part is wanted by a retry, whatever the command line said about older ones.
        if row.isRetry { admission.job.continues = true }
        return admission
    }

    /// What is asked for when its run has ended.
    var ending: RowEnding {
        RowEnding(
            id: row.id, kind: row.job.kind, wantsSHA256: row.job.checksum?.algorithm == .sha256, output: row.output,
            startedAt: row.startedAt, wasResumed: row.wasResumed, discardsPart: row.discardsPart)
    }
}

@available(*, unavailable) extension RowSlot: Sendable {}
