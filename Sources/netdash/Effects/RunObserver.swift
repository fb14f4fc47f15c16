import Support

/// Takes what becomes of transfers to the main thread of a run without a dashboard.
final class RunObserver: TransferObserver {
    private let mailbox: Mailbox<RunMessage>
    private let waiting = Locked<Set<NumberKey>>([])
    private let wantsMoves: Bool
    let hearsMilestones: Bool
    let showsRows = false

    /// Without `wantsMoves` counts are not worth waking anybody for; without `hearsMilestones` ends alone are, and only
    /// failures worth a word.
    init(mailbox: Mailbox<RunMessage>, wantsMoves: Bool, hearsMilestones: Bool) {
        self.mailbox = mailbox
        self.wantsMoves = wantsMoves
        self.hearsMilestones = hearsMilestones
    }

    func transferDidReport(_ event: TransferEvent) {
        mailbox.post(hearsMilestones || event.what.isFailure ? .event(event) : .ended)
    }

    func transferDidMove(_ id: UInt64) {
        guard wantsMoves, waiting.withLock({ $0.insert(NumberKey(id)).inserted }) else { return }
        mailbox.post(.moved(id))
    }

    func transfersWereRemoved(_ ids: [UInt64]) {}

    /// The next change of this transfer is news again.
    func didTakeMove(_ id: UInt64) { waiting.withLock { _ = $0.remove(NumberKey(id)) } }
}
