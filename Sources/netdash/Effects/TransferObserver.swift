/// Who hears what becomes of the transfers: the dashboard's rows or the printer of lines.
///
/// Called from the session's delegate queue, and from whichever thread asked for a change. Must not block.
protocol TransferObserver: AnyObject, Sendable {
    /// Whether rows are shown: then every change of a phase is a movement, and the details that somebody can ask for (a
    /// log, header fields, times) are kept.
    var showsRows: Bool { get }
    /// Whether what happens between a transfer's beginning and its end is worth a line; ends are told in any case.
    var hearsMilestones: Bool { get }
    /// Something happened that is worth a line. The events of one transfer come in order.
    func transferDidReport(_ event: TransferEvent)
    /// Counts or the phase changed. Comes often; what changed is asked of the bridge when it is wanted.
    func transferDidMove(_ id: UInt64)
    /// Transfers left the list.
    func transfersWereRemoved(_ ids: [UInt64])
}

extension TransferObserver {
    /// Everything is worth a line.
    var hearsMilestones: Bool { true }
}
