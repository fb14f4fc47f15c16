/// One thing that happened to a transfer, as lines and JSON report it.
package struct TransferEvent: Sendable, Equatable, Codable {
    /// The job of a transfer in the words of lines and JSON.
    package struct Description: Sendable, Equatable, Codable {
        package var kind: Job.Kind
        package var url: String
        package var method: String
        /// The path that the bytes go to or come from, as far as it is known.
        package var path: String?
        /// Whether the transfer was there already, and the same was asked for once more.
        package var isRepeated = false
        /// The user's own mark, which every event of the transfer has.
        package var tag: String?
    }

    /// Counts of bytes; nil while unknown.
    package struct Figures: Sendable, Equatable, Codable {
        package var received: Int64 = 0
        package var sent: Int64 = 0
        package var expectedToReceive: Int64?
        package var expectedToSend: Int64?
        package var bytesPerSecond: Int64?
        /// Bytes that were here before this answer came.
        package var resumedAt: Int64 = 0
        /// Connections that bring a body.
        package var connections = 0

        /// Whether bytes moved to the server alone so far.
        package var isSending: Bool { sent > 0 && received == 0 }
        /// The bytes that moved in the direction that a line tells.
        package var moved: Int64 { isSending ? sent : received }
        /// The bytes in that direction that moved at no speed, because they were here before.
        package var origin: Int64 { isSending ? 0 : min(resumedAt, moved) }
        /// The length of what moves in that direction.
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

    /// The outcome of a transfer that completed.
    package struct Completion: Sendable, Equatable, Codable {
        package var path: String?
        package var bytes: Int64
        /// The verified digest, when it was a SHA-256.
        package var sha256: String?
        /// Nil for a transfer of an earlier run that did not note when it began.
        package var seconds: Double?
        /// Whether the file was there already and nothing was transferred.
        package var wasSkipped = false
        /// Whether the server has said that the file that was there already is still the newest.
        package var isUnchanged = false
        /// Whether something has proven that the whole body came: false for one that ended with its connection.
        package var lengthWasVerified = true
        /// What is to be said about the file's name or place, as a sentence; nil for nothing.
        package var note: String?
        /// What a checksum has proven; nil where none was asked for or announced.
        package var proof: Proof?
    }

    /// What a checksum has proven of a download.
    package enum Proof: Sendable, Equatable, Codable {
        /// The file has the digest of this algorithm.
        case matches(String)
        /// One was looked for, and there was none.
        case notFound
    }

    /// The kinds of event; the names in JSON are those of the cases.
    package enum What: Sendable, Equatable, Codable {
        case added(Description)
        case started
        case response(status: Int, headers: Int, continuation: Resumability, head: Head? = nil)
        case progress(Figures)
        case paused
        case resumed
        case retrying(attempt: Int, afterSeconds: Double, reason: String)
        case restarted(reason: String)
        /// One of several sources is not asked any more.
        case sourceDropped(url: String, reason: String)
        /// Another source has become the first one, for a reason of the one before it.
        case sourceTurned(url: String, from: String, reason: String)
        /// Something about the answer that the user should know and that stops nothing.
        case notice(String)
        case completed(Completion)
        case failed(TransferFailure)
        case cancelled

        /// Whether it is the first of its transfer.
        package var isAddition: Bool { if case .added(let job) = self { !job.isRepeated } else { false } }

        /// Whether its details name the URL already.
        package var describesJob: Bool { if case .added = self { true } else { false } }

        /// Whether the run may be over with it.
        var mayEndRun: Bool {
            switch self {
            case .completed, .failed, .cancelled, .paused: true
            case .added, .started, .response, .progress, .resumed, .retrying, .restarted, .sourceDropped,
                .sourceTurned, .notice:
                false
            }
        }

        /// Whether the transfer failed.
        package var isFailure: Bool { if case .failed = self { true } else { false } }
    }

    package var time: Timestamp
    package var id: UInt64
    /// The transfer's URL where the event is its end, which may be told long after the beginning, or where the observer
    /// wants it with every event.
    package var url: String?
    package var what: What
    /// Whether it is told again of an earlier run of the program.
    package var isEarlier = false

    package init(time: Timestamp, id: UInt64, url: String? = nil, what: What, isEarlier: Bool = false) {
        (self.time, self.id, self.url, self.what, self.isEarlier) = (time, id, url, what, isEarlier)
    }
}

extension Job.Kind {
    /// The word that lines have for it.
    package var word: SafeText {
        switch self {
        case .data: "request"
        case .upload: "upload"
        case .download: "download"
        }
    }
}
