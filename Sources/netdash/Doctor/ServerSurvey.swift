import TransferService

/// Asks a server for parts of a file: whether downloads resume, and how fast they are.
struct ServerSurvey {
    let trial: ServerTrial

    /// Tells each finding when it is known; returns false when `tell` did.
    func run(_ tell: ([Finding]) -> Bool) -> Bool {
        let ranges = RangeReport.ask(trial)
        guard tell([RangeChecks.finding(ranges)]) else { return false }
        var trials = SpeedTrials(length: ranges.plain?.status == 206 ? ranges.plain?.length : nil)
        while let connections = trials.next {
            let bounds = trials.bounds
            trials.add(trial.sample(trials.ranges(connections), bytes: bounds.bytes, seconds: bounds.seconds))
            if connections == 1, let speed = trials.speed, !tell([speed]) { return false }
        }
        return trials.connections.map { tell([$0]) } ?? true
    }
}
