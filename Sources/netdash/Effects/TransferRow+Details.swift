import Foundation
import SessionCore

/// What the details show, gathered when it becomes known so that a snapshot only copies it.
extension TransferRow {
    /// How much of a body the details show.
    private static var bodyByteLimit: Int { 16 << 10 }
    private static var bodyLineLimit: Int { 200 }

    /// Takes over a response's head.
    mutating func note(_ head: ResponseHead) {
        let status = SafeText(head.statusCode)
        let reason = SafeText(untrusted: head.reasonPhrase)
        details.statusLine = reason.isEmpty ? status : status + " " + reason
        details.contentType = SafeText(untrusted: head.headers["Content-Type"] ?? "")
        details.httpVersion = SafeText(untrusted: head.version.rawValue)
        details.acceptsRanges = head.headers["Accept-Ranges"].map { $0.lowercased() != "none" }
        details.responseHeaders = head.headers.map { field in
            let value = Redaction.header(name: field.name, value: field.value)
            return RowDetails.Header(name: SafeText(untrusted: field.name), value: SafeText(untrusted: value))
        }
        if let tag = head.headers["ETag"], !tag.hasPrefix("W/") {
            details.validator = "etag " + SafeText(untrusted: tag)
        } else if let date = head.headers["Last-Modified"] {
            details.validator = "last-modified " + SafeText(untrusted: date)
        }
    }

    /// Takes over the end of a run.
    mutating func note(_ completion: TaskCompletion, path: String?, at time: Int64) {
        endedAt = time
        lastStatus = completion.status
        self.path = path ?? self.path
        note(completion.metrics)
        if job.checksum != nil {
            details.checksum = completion.verifiedDigest == nil ? "not checked" : "matches"
        }
        if job.kind != .download { details.body = Self.lines(of: completion.body, type: completion.head) }
    }

    private mutating func note(_ metrics: TransferMetrics) {
        details.peer = SafeText(untrusted: metrics.peer)
        details.reusedConnection = metrics.reusedConnection
        details.redirects = metrics.redirects
        details.nameLookup = Self.milliseconds(metrics.nameLookup)
        details.connect = Self.milliseconds(metrics.connect)
        details.secureConnect = Self.milliseconds(metrics.secureConnect)
        details.requestSent = Self.milliseconds(metrics.requestSent)
        details.firstByte = Self.milliseconds(metrics.firstByte)
        details.total = Self.milliseconds(metrics.total)
    }

    private static func milliseconds(_ seconds: Double) -> Int? {
        seconds > 0 && seconds < 1e9 ? Int(seconds * 1000) : nil
    }

    /// The beginning of a body that is text; nothing of any other.
    private static func lines(of body: [UInt8], type head: ResponseHead?) -> [SafeText] {
        let type = head?.headers["Content-Type"]?.lowercased() ?? ""
        let isText = type.hasPrefix("text/") || type.contains("json") || type.contains("xml")
        guard isText, !body.isEmpty else { return [] }
        let lines = body.prefix(bodyByteLimit).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.prefix(bodyLineLimit).map { SafeText(untrusted: $0) }
    }
}
