/// When a service ends by itself: some time after its last moving task and its last client.
struct IdleExit {
    /// The seconds of rest after which it ends; nil for never.
    let seconds: Double?
    /// The moment of the monotonic clock, in milliseconds, since which it rests.
    private var restingSince: Int64?

    init(seconds: Double?) {
        self.seconds = seconds
    }

    /// Notes whether it rests, and returns the milliseconds until it ends; nil while no end is in sight.
    ///
    /// - Parameter lastRequest: the moment of the last request of a client that is not connected all the time; nil for
    ///   none.
    mutating func remaining(isAtRest: Bool, lastRequest: Int64? = nil, now: Int64) -> Int64? {
        guard let seconds, isAtRest else {
            restingSince = nil
            return nil
        }
        let since = max(restingSince ?? now, lastRequest ?? .min)
        restingSince = since
        return max(since + Int64(seconds * 1_000) - now, 0)
    }
}
