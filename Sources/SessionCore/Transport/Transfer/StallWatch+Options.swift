extension StallWatch {
    /// Watches an attempt by its request and options.
    ///
    /// - Parameters:
    ///   - seconds: the session's limit, for a request without its own.
    ///   - answerTimeout: the session's limit for a response; nil for none.
    init(
        _ request: TransferRequest, _ options: SharedOptions?, seconds: Double, answerTimeout: Double? = nil,
        now: Int64
    ) {
        self.init(limitMilliseconds: Deadlines.milliseconds(request.idleTimeout ?? seconds), now: now)
        speed = options?.values.leastSpeed.map {
            SpeedWatch(least: $0.bytesPerSecond, over: Deadlines.milliseconds($0.seconds))
        }
        let answer = options?.values.answerTimeout ?? request.idleTimeout
        answerLimit = answer.map(Deadlines.milliseconds)
        isStricter = (
            stall: request.idleTimeout.map { $0 < seconds } ?? false,
            answer: answer.map { $0 < answerTimeout ?? .infinity } ?? false
        )
    }
}
