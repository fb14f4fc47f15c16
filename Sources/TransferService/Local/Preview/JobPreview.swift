import SessionCore
import SessionSupport

/// What a run would do with one job, as far as the server and the disk tell before it begins.
package struct JobPreview: Sendable, Equatable {
    package enum Action: String, Sendable, CaseIterable {
        case download, resume
        /// The file exists, and the new one gets a number.
        case number
        case replace
        /// The file is replaced if the server has a newer one.
        case refresh
        /// The file is skipped if it is the server's, else the new one gets a number.
        case compare
        /// The user is asked.
        case ask
        case skip
        /// The archive has it.
        case archived
        /// An earlier line has the same download.
        case repeated
        /// The task is added paused, or waits for one that is.
        case paused
        case upload, request
        case fail
    }

    package var job: Job
    package var action: Action
    /// The path of the file; nil for standard output, and for a response without a file.
    package var path: String?
    /// The bytes of the complete file; nil where they are unknown.
    package var length: Int64?
    /// Bytes of the partial file from which it resumes; 0 for none.
    package var keptBytes: Int64 = 0
    /// The status of the response; nil where no server was asked.
    package var status: Int?
    package var failure: TransferFailure?

    package init(_ job: Job, _ action: Action, path: String? = nil) {
        (self.job, self.action, self.path) = (job, action, path)
    }

    /// The result that decides the exit code.
    package var result: TransferResult { failure.map { .failed($0) } ?? .completed }

    /// Bytes that the run would still transfer; nil where they are unknown.
    package var remaining: Int64? {
        switch action {
        case .skip, .archived, .repeated, .paused, .fail, .request: 0
        case .download, .number, .replace, .refresh, .compare, .ask, .upload: length.map { max($0 - keptBytes, 0) }
        case .resume: length.map { max($0 - keptBytes, 0) }
        }
    }

    mutating func fail(_ failure: TransferFailure) {
        (action, self.failure) = (.fail, failure)
    }
}

extension JobPreview.Action {
    /// What a download does about what has the name of its file.
    ///
    /// - Parameter resumes: whether a partial file continues.
    static func of(_ occupant: DestinationInfo.Occupant?, _ policy: Job.IfExists, resumes: Bool) -> Self {
        switch occupant {
        case nil: return resumes ? .resume : .download
        case .obstacle: return .fail
        case .file: break
        }
        return switch policy {
        case .rename: .number
        case .skip: .skip
        case .same, .sameOrFail: .compare
        case .overwrite: .replace
        case .refresh: .refresh
        case .fail: .fail
        case .ask: .ask
        }
    }
}

extension JobPreview.Action {
    /// The state of the task for the ones after it.
    var end: Precedence.Predecessor {
        switch self {
        case .fail: .failed
        case .skip, .archived: .completed
        case .download, .resume, .number, .replace, .refresh, .compare, .ask, .repeated, .paused, .upload, .request:
            .unfinished
        }
    }
}

extension Job {
    /// Whether a server is asked for its preview.
    var isAsked: Bool { kind == .download && !startsPaused }
}

/// The head of a response to a question about a download, or why there is none.
struct PreviewAnswer: Sendable, Equatable {
    var head: ResponseHead?
    var failure: TransferFailure?

    /// Whether the download's own method is asked too: the server refuses HEAD, or does not tell the length.
    ///
    /// Servers refuse HEAD with many statuses, and some hang up.
    var needsGet: Bool {
        guard let head else {
            return [SessionError.Code.connectionLost, .badResponse].contains { $0.rawValue == failure?.kind }
        }
        guard head.statusCode >= 400 else { return length == nil }
        return ![401, 407, 410, 429, 503].contains(head.statusCode)
    }

    /// The length of the complete file; nil where the response does not tell.
    var length: Int64? {
        guard let head else { return nil }
        switch head.statusCode {
        case 206, 416: return head.headers["Content-Range"]?.split(separator: "/").last.flatMap { ByteText.decimal($0) }
        case 200..<300 where head.headers["Content-Encoding"] == nil:
            return head.headers["Content-Length"].flatMap { ByteText.decimal($0) }
        default: return nil
        }
    }

    /// Whether the server is known to send the file only from its beginning.
    var refusesRanges: Bool {
        head.map { $0.headers["Accept-Ranges"].map { ByteText.isSame($0, "none") } ?? false } ?? false
    }

    /// Why the download would fail; nil where it would not.
    var problem: TransferFailure? {
        guard let head else { return failure }
        // A range of an empty file cannot be satisfied.
        return head.isFailure && !(head.statusCode == 416 && length == 0) ? TransferFailure(head: head) : nil
    }
}
