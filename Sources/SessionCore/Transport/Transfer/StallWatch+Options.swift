extension StallWatch {
    /// Watches an attempt by its request and options.
    ///
    /// - Parameter seconds: the session's limit, for a request without its own.
    init(_ request: TransferRequest, _ options: RequestOptions?, seconds: Double, now: Int64) {
        self.init(limitMilliseconds: Deadlines.milliseconds(request.idleTimeout ?? seconds), now: now)
        speed = options?.leastSpeed.map {
            SpeedWatch(least: $0.bytesPerSecond, over: Deadlines.milliseconds($0.seconds))
        }
        answerLimit = (options?.answerTimeout ?? request.idleTimeout).map(Deadlines.milliseconds)
    }
}
