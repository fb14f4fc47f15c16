/// The entries that get transfers, and the transfers that count for that.
extension LoopCore {
    /// Asks for the transfers of entries whose turn is near.
    func admitEntries() {
        var admitted: [TransferID] = []
        while let id = scheduler.nextAdmission() { admitted.append(id) }
        if !admitted.isEmpty { emit(.admitted(admitted)) }
    }

    /// Counts a transfer as one that is to run, or no longer.
    func count(_ transfer: Transfer, isAtWork: Bool) {
        guard transfer.isAtWork != isAtWork else { return }
        transfer.isAtWork = isAtWork
        scheduler.count(lane(of: transfer), atWork: isAtWork ? 1 : -1)
        if !isAtWork { count(transfer, isAway: false) }
    }

    /// Counts a transfer as one that waits for a host in trouble, or no longer.
    func count(_ transfer: Transfer, isAway: Bool) {
        guard transfer.isAway != isAway else { return }
        transfer.isAway = isAway
        scheduler.count(lane(of: transfer), away: isAway ? 1 : -1)
    }

    func lane(of transfer: Transfer) -> Scheduler.Lane { lane(of: transfer.description.kind) }

    func lane(of kind: TransferKind) -> Scheduler.Lane {
        configuration.dataTransfersHaveOwnSlots ? .lane(of: kind) : .files
    }
}
