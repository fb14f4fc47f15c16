import SessionSupport

/// The next steps that a server's responses lead to.
extension ResumableUpload {
    typealias Outcome = UploadOutcome

    /// Reads an interim response; false if the server contradicts itself, and the request has to end.
    mutating func hear(_ head: ResponseHead, original: TransferRequest) -> Bool {
        guard head.statusCode == 104, step == .send, !isOrdinary,
            head.headers.singleValue(named: "Upload-Draft-Interop-Version") == Self.interopVersion
        else { return true }
        let limits = UploadLimits(head)
        if let error = limits.refusal(of: content.length, head) {
            contradiction = error
            return false
        }
        appendLimit = limits.append ?? appendLimit
        guard head.headers["Location"] != nil else { return true }
        do throws(SessionError) {
            let url = try location(of: head, original: original)
            guard location == nil || location?.url == url else {
                throw error(.badResponse, ResumeErrors.twoUploadURLs, head)
            }
            location = UploadLocation(style: .draft, url: url, content: content)
            return true
        } catch {
            contradiction = error
            return false
        }
    }

    /// Decides about a final head that is not a redirect.
    mutating func judge(_ head: ResponseHead, original: TransferRequest) -> Outcome {
        if let contradiction {
            self.contradiction = nil
            return give(up: contradiction)
        }
        if step != .discover, RetryPolicy.isTransient(status: head.statusCode, of: original) {
            return if case .discard(let error) = step { .later(error) } else { .answer }
        }
        if style == .contentRange { return judgeRange(head) }
        return switch step {
        case .discover: judgeOffer(head)
        case .create: judgeCreation(head, original)
        case .send: judgeSending(head)
        case .locate: judgeOffset(head, original)
        case .append(let offset): judgeAppending(head, from: offset, original)
        case .discard(let error): .fail(error)
        }
    }

    // MARK: - Start

    private mutating func judgeOffer(_ head: ResponseHead) -> Outcome {
        guard (200..<300).contains(head.statusCode) else {
            // The server, or a proxy in front of it, refuses only OPTIONS; 412 means that it lacks this version.
            let isTus = head.statusCode != 412 && head.headers["Tus-Resumable"] == Self.tusVersion
            advance(to: isTus ? .create : .send)
            return .next
        }
        let versions = (head.headers["Tus-Version"] ?? head.headers["Tus-Resumable"] ?? "").split(separator: ",")
        let extensions = (head.headers["Tus-Extension"] ?? "").split(separator: ",").map { ByteText.trimmed($0) }
        let isTus = versions.contains { ByteText.trimmed($0) == Self.tusVersion } && extensions.contains("creation")
        let limits = isTus ? UploadLimits(tus: head) : UploadLimits(head)
        if let error = limits.refusal(of: content.length, head) { return .fail(error) }
        appendLimit = limits.append
        advance(to: isTus ? .create : .send)
        return .next
    }

    private mutating func judgeCreation(_ head: ResponseHead, _ original: TransferRequest) -> Outcome {
        guard (200..<300).contains(head.statusCode) else { return .answer }
        do throws(SessionError) {
            let url = try location(of: head, original: original)
            location = UploadLocation(style: .tus, url: url, content: content)
        } catch {
            return .fail(error)
        }
        if content.length == 0 { return .answer }
        advance(to: .append(0))
        return .next
    }

    private mutating func judgeSending(_ head: ResponseHead) -> Outcome {
        guard (200..<300).contains(head.statusCode), head.headers["Upload-Complete"] == "?0" else { return .answer }
        guard location != nil else {
            return .fail(error(.badResponse, ResumeErrors.partWithoutURL, head))
        }
        return goOn(behind: head)
    }

    // MARK: - Continuing

    private mutating func judgeOffset(_ head: ResponseHead, _ original: TransferRequest) -> Outcome {
        if head.statusCode == 423 { return locked(head) }
        if head.statusCode == 403 || Self.forgotten.contains(head.statusCode) { return forget(head, original) }
        guard (200..<300).contains(head.statusCode) else { return .answer }
        if let text = head.headers.singleValue(named: "Upload-Length"), ByteText.decimal(text) != content.length {
            return forget(head, original)
        }
        guard let offset = Self.offset(of: head) else {
            return .fail(error(.badResponse, ResumeErrors.offsetMissing, head))
        }
        if let error = impossible(offset, head) { return give(up: error) }
        confirm(offset)
        let isComplete = style == .tus ? offset == content.length : head.headers["Upload-Complete"] == "?1"
        if isComplete {
            guard offset == content.length else {
                return give(
                    up: error(.badResponse, ResumeErrors.falseEnd(offset, of: content.length), head))
            }
            return .answer
        }
        advance(to: .append(offset))
        return .next
    }

    private mutating func judgeAppending(
        _ head: ResponseHead, from offset: Int64, _ original: TransferRequest
    ) -> Outcome {
        let status = head.statusCode
        if style == .draft, head.headers["Upload-Complete"] == "?1" { return .answer }
        if status == 409 {
            guard mayGoRound() else {
                return .fail(error(.badResponse, ResumeErrors.offsetsRefused, head))
            }
            advance(to: .locate)
            return .next
        }
        if status == 423 { return locked(head) }
        if Self.forgotten.contains(status) { return forget(head, original) }
        guard (200..<300).contains(status) else { return .answer }
        if style == .draft, head.headers["Upload-Complete"] != "?0" { return .answer }
        return goOn(behind: head, from: offset)
    }

    /// Asks again later: the server has not noticed yet that an earlier connection has ended.
    private mutating func locked(_ head: ResponseHead) -> Outcome {
        advance(to: .locate)
        let phrase = ResumePolicy.phrase(head)
        return .later(error(.truncated, ResumeErrors.uploadLocked(phrase), head))
    }

    /// Continues at the offset that a response names; asks for it if the response names none.
    private mutating func goOn(behind head: ResponseHead, from earlier: Int64 = 0) -> Outcome {
        guard let offset = Self.offset(of: head) else {
            guard mayGoRound() else {
                return .fail(error(.badResponse, ResumeErrors.offsetMissing, head))
            }
            advance(to: .locate)
            return .next
        }
        if let error = impossible(offset, head) { return give(up: error) }
        confirm(offset)
        if style == .tus, offset == content.length { return .answer }
        if offset <= earlier, !mayGoRound() {
            return .fail(error(.badResponse, ResumeErrors.uploadStuck, head))
        }
        advance(to: .append(offset))
        return .next
    }

    // MARK: - Trouble

    /// Statuses that mean the upload's URL no longer exists.
    private static let forgotten: Set<Int> = [404, 410]

    /// Creates a new upload after the old one is gone, if the request may be repeated.
    private mutating func forget(_ head: ResponseHead, _ original: TransferRequest) -> Outcome {
        guard style == .tus || original.isIdempotent, mayGoRound() else {
            return .fail(error(.http, ResumeReasons.uploadForgotten(ResumePolicy.phrase(head)), head))
        }
        restartFromZero()
        return .restartFromZero(reason: ResumeReasons.uploadForgotten(ResumePolicy.phrase(head)))
    }

    /// Returns the error for an offset that no upload of these bytes can have; nil for a valid one.
    func impossible(_ offset: Int64, _ head: ResponseHead) -> SessionError? {
        let most = min(handedOut ?? content.length, content.length)
        guard offset > most else { return nil }
        return error(.badResponse, ResumeErrors.offsetTooHigh(offset, sent: most), head)
    }

    /// Makes the server delete the stored bytes, then fails.
    private mutating func give(up error: SessionError) -> Outcome {
        guard location != nil else { return .fail(error) }
        advance(to: .discard(error))
        return .next
    }

    // MARK: - Reading

    private static func offset(of head: ResponseHead) -> Int64? {
        head.headers.singleValue(named: "Upload-Offset").flatMap { ByteText.decimal(ByteText.trimmed($0)) }
    }

    /// Returns the upload's URL from a response; it must be at the original server, because credentials and bytes go to
    /// no other.
    private func location(of head: ResponseHead, original: TransferRequest) throws(SessionError) -> String {
        let fields = head.headers.values(named: "Location")
        guard let first = fields.first, fields.count == 1 else {
            throw error(.badResponse, ResumeErrors.uploadURLMissing, head)
        }
        let url: String
        do throws(SessionError) {
            url = URLParser.withoutFragment(try URLParser.resolve(first, against: head.url))
        } catch {
            throw self.error(.badResponse, ResumeErrors.uploadURLUnusable, head)
        }
        guard (try? Origin(url)) == (try? Origin(original.url)) else {
            throw error(.redirectRefused, ResumeErrors.uploadElsewhere, head)
        }
        return url
    }

    private func error(_ code: SessionError.Code, _ message: String, _ head: ResponseHead) -> SessionError {
        ResumePolicy.error(code, message, head)
    }
}

/// The server's limits for uploads and for each request of one.
private struct UploadLimits {
    var size: Int64?
    var append: Int64?

    /// Reads the draft's limits: `max-size=1000, max-append-size=100`.
    init(_ head: ResponseHead) {
        for item in head.headers.values(named: "Upload-Limit").flatMap({ $0.split(separator: ",") }) {
            let member = item.prefix { $0 != ";" }
            let parts = member.split(separator: "=", maxSplits: 1).map { ByteText.trimmed($0) }
            guard parts.count == 2, let value = ByteText.decimal(parts[1]) else { continue }
            switch parts[0] {
            case "max-size": size = value
            case "max-append-size" where value > 0: append = value
            default: break
            }
        }
    }

    /// Reads the limit of tus.
    init(tus head: ResponseHead) {
        size = head.headers.singleValue(named: "Tus-Max-Size").flatMap { ByteText.decimal(ByteText.trimmed($0)) }
        if size == 0 { size = nil }
    }

    /// Returns the error for an upload that is too large to be sent.
    func refusal(of length: Int64, _ head: ResponseHead) -> SessionError? {
        guard let size, length > size else { return nil }
        return ResumePolicy.error(.bodyTooLarge, ResumeErrors.uploadTooLarge(length, limit: size), head)
    }
}
