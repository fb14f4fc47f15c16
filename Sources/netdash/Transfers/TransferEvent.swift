import Dashboard

/// One thing that happened to a transfer, as lines and JSON report it.
struct TransferEvent: Sendable, Equatable {
    /// The job of a transfer in the words of lines and JSON.
    struct Description: Sendable, Equatable {
        var kind: Job.Kind
        var url: String
        var method: String
        /// The path that the bytes go to or come from, as far as it is known.
        var path: String?
        /// Whether the transfer was there already, and the same was asked for once more.
        var isRepeated = false
        /// The user's own mark, which every event of the transfer has.
        var tag: String?
    }

    /// Counts of bytes; nil while unknown.
    struct Figures: Sendable, Equatable {
        var received: Int64 = 0
        var sent: Int64 = 0
        var expectedToReceive: Int64?
        var expectedToSend: Int64?
        var bytesPerSecond: Int64?
        /// Bytes that were here before this answer came.
        var resumedAt: Int64 = 0
        /// Connections that bring a body.
        var connections = 0

        /// Whether bytes moved to the server alone so far.
        var isSending: Bool { sent > 0 && received == 0 }
        /// The bytes that moved in the direction that a line tells.
        var moved: Int64 { isSending ? sent : received }
        /// The bytes in that direction that moved at no speed, because they were here before.
        var origin: Int64 { isSending ? 0 : min(resumedAt, moved) }
        /// The length of what moves in that direction.
        var expected: Int64? { isSending ? expectedToSend : expectedToReceive }
    }

    /// The head of a response beside its status, secrets masked.
    struct Head: Sendable, Equatable {
        /// One header field.
        struct Field: Sendable, Equatable {
            var name: String
            var value: String
        }

        /// Such as `HTTP/1.1`.
        var version: String
        var reason: String
        var fields: [Field]
    }

    /// The outcome of a transfer that completed.
    struct Completion: Sendable, Equatable {
        var path: String?
        var bytes: Int64
        /// The verified digest, when it was a SHA-256.
        var sha256: String?
        /// Nil for a transfer of an earlier run that did not note when it began.
        var seconds: Double?
        /// Whether the file was there already and nothing was transferred.
        var wasSkipped = false
        /// Whether the server has said that the file that was there already is still the newest.
        var isUnchanged = false
        /// Whether something has proven that the whole body came: false for one that ended with its connection.
        var lengthWasVerified = true
        /// What is to be said about the file's name or place, as a sentence; nil for nothing.
        var note: String?
        /// What a checksum has proven; nil where none was asked for or announced.
        var proof: Proof?
    }

    /// What a checksum has proven of a download.
    enum Proof: Sendable, Equatable {
        /// The file has the digest of this algorithm.
        case matches(String)
        /// One was looked for, and there was none.
        case notFound
    }

    /// The kinds of event; the names in JSON are those of the cases.
    enum What: Sendable, Equatable {
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
        var isAddition: Bool { if case .added(let job) = self { !job.isRepeated } else { false } }

        /// Whether its details name the URL already.
        var describesJob: Bool { if case .added = self { true } else { false } }

        /// Whether the transfer failed.
        var isFailure: Bool { if case .failed = self { true } else { false } }
    }

    var time: Timestamp
    var id: UInt64
    /// The transfer's URL where the event is its end, which may be told long after the beginning, or where the observer
    /// wants it with every event.
    var url: String?
    var what: What
    /// Whether it is told again of an earlier run of the program.
    var isEarlier = false
}

extension Job.Kind {
    /// The word that lines have for it.
    var word: SafeText {
        switch self {
        case .data: "request"
        case .upload: "upload"
        case .download: "download"
        }
    }
}
