/// One event of a transfer, as lines and JSON report it.
package struct TransferEvent: Sendable, Equatable, Codable {
    /// Describes a transfer's job for lines and JSON.
    package struct Description: Sendable, Equatable, Codable {
        package var kind: Job.Kind
        package var url: String
        package var method: String
        /// The path of the file, as far as it is known.
        package var path: String?
        /// Whether the transfer existed already and was requested again.
        package var isRepeated = false
        /// The user's own tag, which every event of the transfer contains.
        package var tag: String?
    }

    /// Counts of bytes; nil while unknown.
    package struct Figures: Sendable, Equatable, Codable {
        package var received: Int64 = 0
        package var sent: Int64 = 0
        package var expectedToReceive: Int64?
        package var expectedToSend: Int64?
        package var bytesPerSecond: Int64?
        /// Bytes of an earlier response.
        package var resumedAt: Int64 = 0
        /// The connections that receive a body.
        package var connections = 0

        /// Whether bytes moved only to the server so far.
        package var isSending: Bool { sent > 0 && received == 0 }
        /// The bytes in the direction that a line reports.
        package var moved: Int64 { isSending ? sent : received }
        /// The bytes in that direction that count for no speed, because they come from an earlier response.
        package var origin: Int64 { isSending ? 0 : min(resumedAt, moved) }
        /// The expected bytes in that direction.
        package var expected: Int64? { isSending ? expectedToSend : expectedToReceive }
    }

    /// The head of a response beside its status, secrets masked.
    package struct Head: Sendable, Equatable, Codable {
        /// One header field.
        package struct Field: Sendable, Equatable, Codable {
            package var name: String
            package var value: String
        }

        /// Such as `HTTP/1.1`.
        package var version: String
        package var reason: String
        package var fields: [Field]
    }

    /// The outcome of a completed transfer.
    package struct Completion: Sendable, Equatable, Codable {
        package var path: String?
        package var bytes: Int64
        /// The bytes of them that an earlier run had; nil for none.
        package var earlierBytes: Int64?
        /// The verified digest, when it was a SHA-256.
        package var sha256: String?
        /// The duration in seconds; nil for a transfer of an earlier run without a recorded start.
        package var seconds: Double?
        /// Whether the file existed already and nothing was transferred.
        package var wasSkipped = false
        /// Whether it was skipped because the archive has it.
        package var isArchived = false
        /// Whether the server confirmed that the existing file is current.
        package var isUnchanged = false
        /// Whether the body is proven to be complete: false for one that ended with its connection.
        package var lengthWasVerified = true
        /// A notice about the file's name or folder, as a sentence; nil for none.
        package var note: String?
        /// The proof of a download's bytes; nil where no checksum was requested or announced.
        package var proof: Proof?
    }

    /// The result of a download's verification.
    package enum Proof: Sendable, Equatable, Codable {
        /// The file has the digest of this algorithm.
        case matches(String)
        /// A published checksum was searched for and not found.
        case notFound
    }

    /// The steps of a transfer's last attempt, in seconds from its start; nil for a skipped one, as on a kept connection.
    package struct Timings: Sendable, Equatable, Codable {
        package var nameLookup: Double?
        package var connect: Double?
        package var secureConnect: Double?
        package var firstByte: Double?
        package var total: Double?

        package init() {}
    }

    /// The kinds of event; the names in JSON are the names of the cases.
    package enum What: Sendable, Equatable, Codable {
        case added(Description)
        case started
        case response(status: Int, headers: Int, continuation: Resumability, head: Head? = nil)
        case progress(Figures)
        case paused
        case resumed
        case retrying(attempt: Int, afterSeconds: Double, reason: String)
        case restarted(reason: String)
        /// One of several sources is no longer used.
        case mirrorDropped(url: String, reason: String)
        /// Another source has become the first one, because of a problem of the one before it.
        case mirrorSwitched(url: String, from: String, reason: String)
        /// A fact about the response that the user should know and that stops nothing.
        case notice(String)
        case completed(Completion)
        case failed(TransferFailure)
        case cancelled

        /// Whether it is the first event of its transfer.
        package var isAddition: Bool { if case .added(let job) = self { !job.isRepeated } else { false } }

        /// Whether its details already contain the URL.
        package var describesJob: Bool { if case .added = self { true } else { false } }

        /// Whether the run may end with it.
        var mayEndRun: Bool {
            switch self {
            case .completed, .failed, .cancelled, .paused: true
            case .added, .started, .response, .progress, .resumed, .retrying, .restarted, .mirrorDropped,
                .mirrorSwitched, .notice:
                false
            }
        }

        package var isFailure: Bool { if case .failed = self { true } else { false } }
    }

    package var time: Timestamp
    package var id: UInt64
    /// The transfer's URL where the event is its end, which may come long after the start, or where the observer wants
    /// it with every event.
    package var url: String?
    package var what: What
    /// Whether it repeats an event of an earlier run.
    package var isEarlier = false
    /// At the end of a transfer that was attempted in this run.
    package var timings: Timings?

    package init(time: Timestamp, id: UInt64, url: String? = nil, what: What, isEarlier: Bool = false) {
        (self.time, self.id, self.url, self.what, self.isEarlier) = (time, id, url, what, isEarlier)
    }
}

extension Job.Kind {
    package var word: SafeText {
        switch self {
        case .data: "request"
        case .upload: "upload"
        case .download: "download"
        }
    }
}
