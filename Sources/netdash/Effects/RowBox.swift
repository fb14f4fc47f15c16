import SessionCore

/// A row on the heap, so that a table of thousands moves pointers when it grows; still a value: changing a copy leaves
/// the other alone.
struct RowBox {
    private final class Storage {
        var row: TransferRow?

        init(_ row: TransferRow?) {
            self.row = row
        }
    }

    private var storage: Storage

    init(_ row: TransferRow) {
        storage = Storage(row)
    }

    /// The row; nil once it was taken away.
    var row: TransferRow? {
        get { storage.row }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.row) }
            yield &storage.row
        }
    }

    // Reading one of these does not copy the row.

    var result: TransferResult? { storage.row?.result }
    var isEarlier: Bool { storage.row?.isEarlier == true }
    var wantsTask: Bool { storage.row?.wantsTask == true }
    var queueKey: TransferRow.QueueKey? { storage.row?.queueKey }
    var task: SessionTask? { storage.row?.task }
    var lastStatus: TaskStatus? { storage.row?.lastStatus }

    /// What is asked for when its run has ended.
    var ending: RowEnding? {
        guard let job = storage.row?.job, let discardsPart = storage.row?.discardsPart else { return nil }
        return RowEnding(
            job: job, output: storage.row?.output ?? nil, startedAt: storage.row?.startedAt ?? nil,
            wasResumed: storage.row?.wasResumed == true, discardsPart: discardsPart)
    }
}
