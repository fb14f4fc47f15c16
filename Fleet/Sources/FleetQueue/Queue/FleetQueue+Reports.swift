/// A finished job, for the queue.
package struct Completion: Equatable, Sendable {
    package let id: Int64
    package let epoch: Int64
    package let received: Int64
    /// What is known of the result, as JSON: final URL, validator, checksum.
    package let result: String?

    package init(id: Int64, epoch: Int64, received: Int64, result: String? = nil) {
        self.id = id
        self.epoch = epoch
        self.received = received
        self.result = result
    }
}

/// A failed attempt, for the queue.
package struct Failure: Equatable, Sendable {
    package let id: Int64
    package let epoch: Int64
    package let cause: JobCause
    /// Whether another attempt is pointless.
    package let isFinal: Bool
    /// Whether the host refused the connection, which counts only in a long outage.
    package let isRefusal: Bool

    package init(id: Int64, epoch: Int64, cause: JobCause, isFinal: Bool, isRefusal: Bool = false) {
        self.id = id
        self.epoch = epoch
        self.cause = cause
        self.isFinal = isFinal
        self.isRefusal = isRefusal
    }
}

/// A job that a worker returns without an attempt.
package struct HandBack: Equatable, Sendable {
    package let id: Int64
    package let epoch: Int64
    package let received: Int64?
    /// Why it goes back, for its row; nil where there is nothing to say.
    package let cause: JobCause?
    /// The host that a redirect named and whose hold the job waits for, as its own host's.
    package let awaits: String?
    /// The seconds until a worker may have it again; nil for none.
    package let wait: Double?

    package init(
        id: Int64, epoch: Int64, received: Int64? = nil, cause: JobCause? = nil, awaits: String? = nil,
        wait: Double? = nil
    ) {
        self.id = id
        self.epoch = epoch
        self.received = received
        self.cause = cause
        self.awaits = awaits
        self.wait = wait
    }
}

extension FleetQueue {
    /// Records finished jobs; returns the ids of the jobs that were still this worker's.
    ///
    /// Results that the server refuses, such as JSON with a NUL, are left out: the files are there.
    package func complete(_ reports: [Completion]) throws(FleetError) -> Set<Int64> {
        do throws(FleetError) {
            return try complete(reports, results: reports.map(\.result))
        } catch {
            guard error.code == .refused else { throw error }
            return try complete(reports, results: reports.map { _ in nil })
        }
    }

    private func complete(_ reports: [Completion], results: [String?]) throws(FleetError) -> Set<Int64> {
        try ids("SELECT netdash.complete($1, $2, $3, $4)", Self.completionParameters(reports, results: results))
    }

    static func completionParameters(_ reports: [Completion], results: [String?]) -> [String?] {
        [
            PostgresText.array(reports.map(\.id)), PostgresText.array(reports.map(\.epoch)),
            PostgresText.array(reports.map(\.received)), PostgresText.array(results),
        ]
    }

    /// Records failed attempts; `base` is the wait before the second attempt in seconds, doubled with each further one.
    ///
    /// The host of a refusal is held before. Returns the jobs that were still this worker's, and whether an attempt is
    /// counted, also where the answer of an earlier call was lost.
    @discardableResult
    package func fail(_ reports: [Failure], base: Double = 5) throws(FleetError) -> [Int64: Bool] {
        let parameters: [String?] = [
            PostgresText.array(reports.map(\.id)), PostgresText.array(reports.map(\.epoch)),
            PostgresText.array(reports.map { Optional($0.cause.text) }),
            PostgresText.array(reports.map { Optional($0.cause.kind) }),
            PostgresText.array(reports.map(\.isFinal)), PostgresText.array(reports.map(\.isRefusal)), "\(base) s",
        ]
        return try retrying { () throws(FleetError) in
            let rows = try connection.run("SELECT * FROM netdash.fail($1, $2, $3, $4, $5, $6, $7)", parameters)
            return (0..<rows.count).reduce(into: [:]) { counts, row in
                if let id = rows.number(row, 0) { counts[id] = rows.isTrue(row, 1) }
            }
        }
    }

    /// Returns jobs to the queue; hosts that some of them await are held before.
    @discardableResult
    package func handBack(_ reports: [HandBack]) throws(FleetError) -> Set<Int64> {
        try ids(
            "SELECT netdash.hand_back($1, $2, $3, $4, $5, $6)",
            [
                PostgresText.array(reports.map(\.id)), PostgresText.array(reports.map(\.epoch)),
                PostgresText.array(reports.map(\.received)), PostgresText.array(reports.map { $0.cause?.text }),
                PostgresText.array(reports.map(\.awaits)),
                PostgresText.array(reports.map { $0.wait.map { "\($0) s" } }),
            ])
    }

    /// Keeps all workers from a host: for the seconds that it asked for, or longer with each refusal.
    ///
    /// Returns the seconds until the host may be asked again.
    @discardableResult
    package func hold(_ host: String, seconds: Double?, cause: JobCause? = nil) throws(FleetError) -> Double {
        let rows = try retrying { () throws(FleetError) in
            try connection.run(
                "SELECT extract(epoch FROM netdash.hold($1, $2, $3) - now())",
                [host, seconds.map { "\($0) s" }, cause?.text])
        }
        return Double(rows.text(0, 0)) ?? 0
    }
}
