/// A job that a worker has claimed.
package struct ClaimedJob: Equatable, Sendable {
    package let id: Int64
    /// The queue's own id; a job's number alone occurs in other queues too.
    package let queue: String
    /// The number of the claim, which proves a report: a later claim of the job has another one.
    package let epoch: Int64
    package let host: String
    package let url: String
    package let destination: String
    package let kind: String
    /// The request's options as JSON; nil without any.
    package let request: String?
    package let checksum: String?
    package let attempts: Int
    /// The most bytes per second for this job by its host's limit; nil without one.
    package var rate: Int64?
    /// The moment of the host's next start if this one begins at once, as the server's text; nil without a gap.
    package let nextStart: String?

    package init(
        id: Int64, epoch: Int64, host: String, url: String, destination: String, kind: String = "download",
        request: String? = nil, checksum: String? = nil, attempts: Int = 0, rate: Int64? = nil,
        nextStart: String? = nil, queue: String = ""
    ) {
        self.id = id
        self.queue = queue
        self.epoch = epoch
        self.host = host
        self.url = url
        self.destination = destination
        self.kind = kind
        self.request = request
        self.checksum = checksum
        self.attempts = attempts
        self.rate = rate
        self.nextStart = nextStart
    }

    init(_ result: DatabaseResult, row: Int, queue: String) {
        self.init(
            id: result.number(row, 0) ?? 0, epoch: result.number(row, 1) ?? 0, host: result.text(row, 2),
            url: result.text(row, 3), destination: result.text(row, 4), kind: result.text(row, 5),
            request: result[row, 6], checksum: result[row, 7], attempts: Int(result.number(row, 8) ?? 0),
            rate: result.number(row, 9), nextStart: result[row, 10], queue: queue)
    }

    /// Checks what another program may have written; the fault becomes the cause of a dead letter.
    package func check() throws(JobFault) {
        guard kind == "download" else { throw JobFault(JobFaults.otherKind) }
        // Limits and secrets are the host's, which the queue names beside the URL.
        guard try JobRules.check(url: url).host == host else { throw JobFault(JobFaults.otherHost) }
        try JobRules.check(destination: destination)
        if let checksum { try JobRules.check(checksum: checksum) }
        _ = try JobRules.options(ofRequest: request)
    }
}
