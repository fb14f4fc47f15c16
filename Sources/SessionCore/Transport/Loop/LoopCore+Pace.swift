/// Limits on how fast bodies move, and who waits for a portion.
extension LoopCore {
    /// Changes the limits; a transfer that waits for a portion and need not any more goes on in this turn.
    func setRateLimits(_ limits: RateLimits) { pace.set(limits, at: now) }

    /// Bounds a transfer by limits of its own.
    func bound(_ transfer: Transfer, to limit: RateLimit?) {
        guard limit != nil || pace.isActive else { return }
        pace.setOwn(limit, of: transfer.id, at: now)
    }

    /// Grants what there is, and stops transfers that have used up their portions and were granted none.
    ///
    /// Each direction is freed by itself: a limit of uploads does not keep downloads waiting for a limit they no longer have.
    func keepPace() {
        for direction in pace.takeLifted() {
            for transfer in allTransfers { transfer.goOn(direction) }
        }
        let usedUp = pace.takeUsedUp().compactMap { entry -> (transfer: Transfer, direction: Pace.Direction)? in
            guard let transfer = transfer(entry.id), transfer.hasMore(entry.direction) else { return nil }
            return (transfer, entry.direction)
        }
        for entry in usedUp { _ = entry.transfer.mayMove(entry.direction) }
        for direction in Pace.Direction.allCases {
            while let id = pace.next(direction, at: now) { transfer(id)?.goOn(direction) }
        }
        for entry in usedUp { entry.transfer.stopForPace(entry.direction) }
    }
}
