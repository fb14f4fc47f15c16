import SessionSupport

/// Texts of a task's details about resuming, its checksum and its body.
package enum DetailLines {
    package static let requestRestarts: SafeText = "a request is sent again from its start"
    package static let uploadResumes: SafeText = "the server keeps received bytes and reports their number"
    package static let uploadHolds: SafeText = "pausing keeps the connection open; once lost, the upload restarts"
    package static let rangesOK: SafeText = "the server supports ranges and names the file's version"
    package static let rangesUnknown: SafeText = "the server has not shown range support yet"
    package static let wrongChecksum: SafeText = "the file is complete, but its checksum is wrong"
    package static let noResponse: SafeText = "no response yet"
    package static let noRanges: SafeText = "the server does not support ranges"
    package static let noValidator: SafeText = "the server names no version of the file (ETag or Last-Modified)"
    package static let unusableResponse: SafeText = "the response is of a kind that cannot be resumed"
    package static let secretsKept: SafeText = "kept beside the session: a restart resumes the task"
    package static let secretsNotKept: SafeText = "not kept: after a restart the task needs them again"

    // MARK: - Checksums

    package static func matches(_ digest: SafeText) -> SafeText { "\(digest) matches" }
    package static func differs(_ digest: SafeText) -> SafeText { "\(digest) does not match" }
    package static func unchecked(_ digest: SafeText) -> SafeText { "\(digest) not checked" }
    package static func pending(_ digest: SafeText) -> SafeText { "\(digest) pending" }
    package static let searched: SafeText = "searching"
    package static let noneFound: SafeText = "none found"

    // MARK: - Bodies

    package static func bytes(of path: SafeText) -> SafeText { "content of \(path)" }
    package static func bytesWithoutLineEnds(of path: SafeText) -> SafeText { "content of \(path) without line ends" }
    package static let standardInput: SafeText = "content of standard input"
    package static let standardInputName: SafeText = "standard input"
    package static let textName: SafeText = "text"
    package static let emptySource: SafeText = "empty body"
    package static let textSource: SafeText = "text, can be sent again"
    package static let fileSource: SafeText = "file, can be sent again from its start"
    package static let standardInputSource: SafeText = "standard input, can be read only once"
    package static let readOnce: SafeText = "no: the body can be read only once"
    package static let fromOffset: SafeText = "yes, from the server's offset"
    package static let fromStart: SafeText = "yes, from the start"
    package static func notIdempotent(_ method: SafeText) -> SafeText {
        "no: repeating \(method) may act twice (Idempotency-Key missing)"
    }
}
