/// How much of a request's body has arrived.
extension Transfer {
    /// Milliseconds until more may have arrived that nothing else would tell of.
    private static let arrivalInterval: Int64 = 250
    /// The same while nothing moves.
    private static let arrivalIntervalAtRest: Int64 = 1_000

    /// Bytes of an attempt's body that its peer has taken.
    ///
    /// The kernel takes megabytes ahead, and a slow line needs a minute to send them; a gauge that counted them would be
    /// full long before the upload is. Encryption makes the bytes under way slightly more than the body's share of them.
    func bytesArrived(of attempt: Attempt) -> Int64 {
        guard attempt.sent > 0 else { return 0 }
        let underWay = core.bytesUnderWay(for: attempt)
        if underWay > 0 { core.setDeadline(.arrival(id), afterMilliseconds: Self.arrivalInterval) }
        return max(attempt.sent - underWay, 0)
    }

    /// Looks whether more has arrived, since libcurl may have nothing left to send.
    func arrivalDue() {
        guard let attempt else { return }
        if attempt.sent - core.bytesUnderWay(for: attempt) > status.sent {
            noteProgress()
        } else {
            core.setDeadline(.arrival(id), afterMilliseconds: Self.arrivalIntervalAtRest)
        }
    }
}
