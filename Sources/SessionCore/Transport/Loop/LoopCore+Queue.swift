/// The queue's entries that become transfers, and the counts that decide when.
extension LoopCore {
    /// Asks the client for the transfers of entries that will soon get a slot.
    func admitEntries() {
        var admitted: [TransferID] = []
        while let id = scheduler.nextAdmission() { admitted.append(id) }
        if !admitted.isEmpty { emit(.admitted(admitted)) }
    }

    func count(_ transfer: Transfer, isAtWork: Bool) {
        guard transfer.attend(isAtWork: isAtWork) else { return }
        scheduler.count(lane(of: transfer), atWork: isAtWork ? 1 : -1)
        if !isAtWork { count(transfer, isAway: false) }
    }

    func count(_ transfer: Transfer, isAway: Bool) {
        guard transfer.attend(isAway: isAway) else { return }
        scheduler.count(lane(of: transfer), away: isAway ? 1 : -1)
    }

    func lane(of transfer: Transfer) -> Scheduler.Lane { lane(of: transfer.description.kind) }

    func lane(of kind: TransferKind) -> Scheduler.Lane {
        configuration.dataTransfersHaveOwnSlots ? .lane(of: kind) : .files
    }
}
