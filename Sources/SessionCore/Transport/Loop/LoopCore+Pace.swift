/// The rate limits of bodies, and the transfers that wait for a portion.
extension LoopCore {
    /// Changes the limits; a transfer that no longer needs to wait for a portion resumes in this turn of the loop.
    func setRateLimits(_ limits: RateLimits) { pace.set(limits, at: now) }

    /// Sets a transfer's own limit.
    func bound(_ transfer: Transfer, to limit: RateLimit?) {
        guard limit != nil || pace.isActive else { return }
        pace.setOwn(limit, of: transfer.id, at: now)
    }

    /// Grants the available portions, and stops transfers that have used up theirs and were granted none.
    ///
    /// A lifted limit resumes its own direction only: a limit on uploads does not keep downloads waiting for a limit
    /// that is gone.
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
