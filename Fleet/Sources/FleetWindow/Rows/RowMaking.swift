internal import FleetQueue
internal import SessionSupport
internal import TransferService

/// Makes the dashboard's rows of the queue's jobs.
enum RowMaking {
    /// The row of a job at a moment in milliseconds of the monotonic clock; `received` replaces the stored count.
    static func row(_ job: ListedJob, received: Int64? = nil, now: Int64) -> RowSnapshot {
        let name = SafeText(untrusted: job.destination)
        var row = RowSnapshot(
            id: UInt64(clamping: job.id), kind: kind(job.kind), name: name,
            url: SafeText(untrusted: Redaction.url(job.url)))
        row.host = SafeText(untrusted: job.host)
        row.path = name
        row.worker = worker(job)
        row.state = state(of: job)
        row.received = received ?? job.received
        row.expected = job.total ?? (job.state == .done ? job.received : nil)
        row.priority = Int8(clamping: max(-2, min(2, job.priority)))
        row.failedAttempts = Int32(clamping: job.attempts)
        row.continuation = .yes
        row.retryAt = job.wait.map { now + Int64($0 * 1000) }
        row.endedAt = job.age.map { now - Int64($0 * 1000) }
        if row.state == .failed || row.state == .retrying, let cause = job.cause {
            row.error = SafeText(untrusted: cause)
            (row.cause, row.statusCode) = reason(cause)
        }
        return row
    }

    /// The worker that has a job or has ended it.
    private static func worker(_ job: ListedJob) -> SafeText {
        switch job.state {
        case .running, .done, .dead: job.worker.map { SafeText(untrusted: $0) } ?? .empty
        case .waiting, .paused, .cancelled: .empty
        }
    }

    static func state(of job: ListedJob) -> RowState {
        state(job.state, isHeldUp: job.wait != nil || job.wish == .pause)
    }

    /// The dashboard's word for a state; a job that is held up waits for another attempt, or is to be paused.
    static func state(_ state: JobState, isHeldUp: Bool) -> RowState {
        switch state {
        case .waiting: isHeldUp ? .retrying : .queued
        case .running: isHeldUp ? .pausing : .running
        case .paused: .paused
        case .done: .done
        case .dead: .failed
        case .cancelled: .cancelled
        }
    }

    static func kind(_ word: String) -> Job.Kind { Job.Kind(rawValue: word) ?? .download }

    /// The word of the table for a worker's sentence, and the status of a response.
    static func reason(_ cause: String) -> (Cause, Int?) {
        if cause.hasPrefix("status "), let status = Int(cause.dropFirst(7).prefix { $0.isNumber }) {
            return (status == 401 ? .authenticationRequired : .http, status)
        }
        let text = cause.lowercased()
        return (CauseWords.cause(in: text), nil)
    }

    /// What the details show of a job.
    static func details(_ job: ListedJob) -> RowDetails {
        var details = RowDetails()
        details.resumeReason = WindowHints.resumption
        var facts = [
            ("worker", job.worker ?? "none"), ("priority", "\(job.priority)"), ("attempts", "\(job.attempts)"),
        ]
        if job.wish != .run { facts.append(("wish", job.wish.rawValue)) }
        if let cause = job.cause { facts.append(("cause", cause)) }
        details.log = facts.map {
            RowDetails.LogLine(time: .empty, text: SafeText(untrusted: $0.0) + ": " + SafeText(untrusted: $0.1))
        }
        details.security = facts.map {
            RowDetails.Field(label: SafeText(untrusted: $0.0), text: SafeText(untrusted: $0.1))
        }
        return details
    }
}
