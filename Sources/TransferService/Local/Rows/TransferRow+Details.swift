import Foundation
import SessionCore
import SessionSupport

/// Builds the details of a row on demand from the stored facts.
extension TransferRow {
    /// The number of runs whose duration is remembered.
    private static var latencyLimit: Int { 120 }

    func currentDetails() -> RowDetails {
        let record = record
        var details = RowDetails()
        details.requestHeaders = requestFields(sent: nil)
        details.queued = run.queued
        describeHead(in: &details)
        details.log = logLines
        var earlier: [ResponseHead] = []
        if var metrics = record.metrics {
            // The recorded attempt is over once another run has begun.
            if !isFinal { metrics.attemptStartedAt = nil }
            Self.describe(metrics, in: &details)
            details.requestHeaders = requestFields(sent: metrics.requestHeaders)
            earlier = metrics.earlierHeads
        }
        if let task = run.task, !isFinal {
            let metrics = task.metrics
            Self.describe(metrics, in: &details)
            if !metrics.requestHeaders.isEmpty {
                details.requestHeaders = requestFields(sent: metrics.requestHeaders)
            }
            earlier = metrics.earlierHeads
            details.segments = task.segments.map {
                RowDetails.Segment(
                    start: $0.range.lowerBound, end: $0.range.upperBound, received: $0.received,
                    rate: $0.bytesPerSecond, source: $0.source)
            }
            details.sources = task.sources.map(Self.source)
        }
        details.earlierAnswers = earlier.map(answer)
        let version = details.httpVersion.isEmpty ? "" : " " + details.httpVersion
        details.requestLine = SafeText(untrusted: job.sentMethod) + " " + SafeText(untrusted: urlPath) + version
        details.resumeReason = resumeReason(details)
        if job.kind == .upload {
            details.uploadSource = uploadSource
            details.uploadRepetition = run.task.map { uploadRepetition($0.request) } ?? .empty
        }
        if let checksum = job.checksum {
            let digest = SafeText(untrusted: checksum.algorithm.rawValue)
            // An earlier run's verification does not apply to the current one.
            details.checksum =
                switch isFinal ? record.digestResult : nil {
                case .matches: DetailLines.matches(digest)
                case .differs: DetailLines.differs(digest)
                case .unchecked: DetailLines.unchecked(digest)
                case nil: DetailLines.pending(digest)
                }
        } else if let algorithm = record.announcedAlgorithm {
            details.checksum = DetailLines.matches(SafeText(untrusted: algorithm))
        } else if job.options.contains(.findChecksum) {
            details.checksum =
                !isFinal || record.digestResult == nil ? DetailLines.searched : DetailLines.noneFound
        }
        details.body = BodyPreview(
            bytes: record.body, total: record.body.count, contentType: details.contentType.string)
        details.bodyWasDropped = record.bodyWasDropped
        describeRequestBody(in: &details)
        details.lacksSecrets = lacksSecrets
        details.latencies = record.latencies
        details.repeatInterval = repeatInterval
        return details
    }

    private func resumeReason(_ details: RowDetails) -> SafeText {
        switch job.kind {
        case .data: return DetailLines.requestRestarts
        case .upload:
            return status.resumability == .yes
                ? DetailLines.uploadResumes
                : DetailLines.uploadHolds
        case .download: break
        }
        switch status.resumability {
        case .yes: return DetailLines.rangesOK
        case .unknown: return DetailLines.rangesUnknown
        case .no: break
        }
        if case .failed(let failure) = run.result, failure.kind == SessionError.Code.checksum.rawValue {
            return DetailLines.wrongChecksum
        }
        if details.statusLine.isEmpty { return DetailLines.noResponse }
        if details.acceptsRanges == false { return DetailLines.noRanges }
        if details.validator.isEmpty { return DetailLines.noValidator }
        return DetailLines.unusableResponse
    }

    /// The sent body; one with members such as passwords is hidden until requested.
    private func describeRequestBody(in details: inout RowDetails) {
        switch job.body {
        case .none: break
        case .file(let path): details.requestBody.summary = DetailLines.bytes(of: SafeText(untrusted: path))
        case .formFile(let path):
            details.requestBody.summary = DetailLines.bytesWithoutLineEnds(of: SafeText(untrusted: path))
        case .standardInput: details.requestBody.summary = DetailLines.standardInput
        case .text(let text):
            let bytes = Array(text.utf8)
            details.requestBody = BodyPreview(bytes: bytes, total: bytes.count, contentType: "")
            details.requestBodyIsSecret = Redaction.hidesMember(of: bytes)
        }
    }

    private var uploadSource: SafeText {
        switch job.body {
        case .none: DetailLines.emptySource
        case .text: DetailLines.textSource
        case .file, .formFile: DetailLines.fileSource
        case .standardInput: DetailLines.standardInputSource
        }
    }

    /// Whether the upload can be repeated, by the engine's rules.
    private func uploadRepetition(_ request: TransferRequest) -> SafeText {
        if !request.body.isReplayable { return DetailLines.readOnce }
        if status.resumability == .yes { return DetailLines.fromOffset }
        if request.isIdempotent { return DetailLines.fromStart }
        return DetailLines.notIdempotent(SafeText(untrusted: request.method))
    }

    private static func source(_ source: DownloadSource) -> RowDetails.Source {
        let state: RowDetails.Source.State =
            switch source.standing {
            case .unproven: .unproven
            case .probing: .probing
            case .proven: .proven
            case .dropped(let reason): .dropped(SafeText(untrusted: reason))
            }
        return RowDetails.Source(
            url: SafeText(url: source.url), state: state, connections: source.connections,
            rate: source.bytesPerSecond)
    }

    /// Status code and reason phrase of the latest response; empty before the first one.
    var statusLine: SafeText {
        guard let head = record.head else { return .empty }
        let status = SafeText(head.statusCode)
        let reason = SafeText(untrusted: head.reasonPhrase)
        return reason.isEmpty ? status : status + " " + reason
    }

    private func describeHead(in details: inout RowDetails) {
        guard let head = record.head else { return }
        details.statusLine = statusLine
        details.answeredURL = SafeText(url: head.url)
        details.contentType = SafeText(untrusted: head.headers["Content-Type"] ?? "")
        details.storedCoding = job.storedCodings(of: head).map { SafeText(untrusted: $0) }
        details.httpVersion = SafeText(untrusted: head.version.rawValue)
        details.acceptsRanges = head.headers["Accept-Ranges"].map { $0.lowercased() != "none" }
        details.responseHeaders = fields(head.headers)
        if let tag = head.headers["ETag"], !tag.hasPrefix("W/") {
            details.validator = "etag " + SafeText(untrusted: tag)
        } else if let date = head.headers["Last-Modified"] {
            details.validator = "last-modified " + SafeText(untrusted: date)
        }
    }

    /// Stores the details of a run that has ended.
    mutating func keepDetails(of completion: TaskCompletion) {
        var record = record
        record.metrics = completion.metrics
        let isWrong = (completion.error as? SessionError)?.code == .checksum
        record.digestResult = completion.verifiedDigest != nil ? .matches : isWrong ? .differs : .unchecked
        record.announcedAlgorithm = job.checksum == nil ? completion.verifiedAlgorithm?.rawValue : nil
        if job.kind != .download {
            record.body = completion.body
            record.bodyWasDropped = false
        }
        if job.kind == .data, completion.error == nil, let total = Self.milliseconds(completion.metrics.total) {
            record.latencies = record.latencies.suffix(Self.latencyLimit - 1) + [total]
        }
        self.record = record
    }

    private static func describe(_ metrics: TransferMetrics, in details: inout RowDetails) {
        // No attempt has begun yet, so the figures of an earlier run stay.
        if metrics.peer.isEmpty, metrics.attemptStartedAt == nil, metrics.total == 0 { return }
        details.localAddress = SafeText(untrusted: metrics.localAddress)
        details.peer = SafeText(untrusted: metrics.peer)
        details.reusedConnection = metrics.reusedConnection
        details.redirects = metrics.redirects
        describe(metrics.secureConnection, in: &details)
        details.nameLookup = milliseconds(metrics.nameLookup)
        details.connect = milliseconds(metrics.connect)
        details.secureConnect = milliseconds(metrics.secureConnect)
        details.requestSent = milliseconds(metrics.requestSent)
        details.firstByte = milliseconds(metrics.firstByte)
        details.total = milliseconds(metrics.total)
        details.attemptStartedAt = metrics.attemptStartedAt
        details.earlierAttempts = metrics.earlierAttempts.map { milliseconds($0) ?? 0 }
    }

    private static func describe(_ connection: SecureConnection?, in details: inout RowDetails) {
        guard let connection else { return }
        // OpenSSL writes TLSv1.3, people write TLS 1.3.
        details.tls = SafeText(untrusted: connection.version.replacing("TLSv", with: "TLS "))
        let fields: [(SafeText, String)] = [
            ("Cipher", connection.cipher), ("Subject", connection.subject), ("Issuer", connection.issuer),
            ("Expires", connection.expiry.map(day) ?? ""),
        ]
        details.security = fields.filter { !$0.1.isEmpty }.map { .init(label: $0.0, text: SafeText(untrusted: $0.1)) }
    }

    /// A date such as `2027-03-01`.
    private static func day(_ seconds: Int64) -> String {
        String(Date(timeIntervalSince1970: Double(seconds)).ISO8601Format().prefix(10))
    }

    private static func milliseconds(_ seconds: Double) -> Int? {
        seconds > 0 && seconds < 1e9 ? Int(seconds * 1000) : nil
    }
}

extension Job {
    /// The codings in which the body of a response is saved or passed on, as curl does; nil for one that is not encoded,
    /// and where the request asks for one.
    func storedCodings(of head: ResponseHead) -> String? {
        guard kind == .download, (200..<300).contains(head.statusCode),
            headers["Accept-Encoding"] == nil, !head.contentCodings.isEmpty
        else { return nil }
        return head.contentCodings.joined(separator: ", ")
    }
}
