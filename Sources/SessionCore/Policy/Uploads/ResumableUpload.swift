import SessionSupport

/// The next request of a resumable upload, and the meaning of its responses.
///
/// tus 1.0 creates an upload and appends to it. The IETF draft sends the original request, gets the upload's URL in an
/// interim response (104), and appends to it after a cut. Both report at that URL how many bytes are stored. Uploads
/// by `Content-Range` are in an extension.
struct ResumableUpload: UploadMachine, Equatable {
    /// The next request.
    enum Step: Sendable, Equatable {
        /// Asks the server for its protocols.
        case discover
        /// tus: creates an upload without any bytes.
        case create
        /// Draft: sends the original request from its first byte.
        case send
        /// Asks how many bytes are stored.
        case locate
        /// Sends the bytes after an offset.
        case append(Int64)
        /// Deletes the stored bytes, then fails.
        indirect case discard(SessionError)
    }

    /// The draft's version number, which both sides must name.
    static let interopVersion = "8"
    static let tusVersion = "1.0.0"
    /// The most consecutive contradictory responses before the upload fails.
    private static let roundLimit = 3

    let intent: UploadResumption
    let content: UploadContent
    var step: Step
    var location: UploadLocation?
    /// Bytes that the server has confirmed.
    var confirmed: Int64 = 0
    /// The most bytes given to a connection in this run; nil if an earlier run has sent some.
    var handedOut: Int64?
    /// The most bytes of one request; nil for any number.
    var appendLimit: Int64?
    /// The reason why the URLs that the server has named are unusable.
    var contradiction: SessionError?
    /// True if the request is sent as if resumption were off, because the server does not know it or left the question
    /// about it unanswered.
    private(set) var isOrdinary = false
    /// True once the server has shown that it counts the bytes of `Content-Range`.
    var knowsRanges = false
    /// True if the server may have bytes of another file at the upload's URL.
    var replacesBytes = false
    /// Counts the unanswered OPTIONS requests.
    private var silences = 0
    /// True once the current request was answered, so that ``step`` is the one after it.
    private var isAnswered = false
    /// True if a new maximum was confirmed since `takeProgress()` last returned.
    private var hasProgress = false
    private var furthest: Int64 = 0
    private var rounds = 0
    /// Bytes that had arrived when the last request ended, as far as is known.
    private var reached: Int64 = 0

    /// Plans the upload of some bytes to a URL; one that was begun with the same bytes is continued.
    ///
    /// - Parameter begun: the upload that was begun before, with these bytes or with others.
    init(_ plan: UploadPlan, content: UploadContent, to url: String, begun: UploadLocation? = nil) {
        intent = plan.intent
        self.content = content
        if let location = plan.location, location.content == content, location.style != .multipart {
            self.location = location
            step = .locate
        } else {
            step = Self.firstStep(of: plan.intent)
            handedOut = 0
            if plan.intent == .contentRange {
                location = UploadLocation(style: .contentRange, url: url, content: content)
                // Its location names the bytes that the server may have, until it has shown that it has none of them.
                if let begun, begun.style == .contentRange { (step, replacesBytes, location) = (.locate, true, begun) }
            }
        }
        // Nothing of an empty file can be missing.
        if plan.intent == .contentRange, content.length == 0 { becomeOrdinary() }
    }

    private static func firstStep(of intent: UploadResumption) -> Step {
        switch intent {
        case .automatic: .discover
        case .tus: .create
        case .draft, .contentRange, .multipart, .off: .send
        }
    }

    var style: UploadLocation.Style {
        if let location { return location.style }
        return switch step {
        case .send: .draft
        case .discover, .create, .locate, .append, .discard: .tus
        }
    }

    /// True if the current request may be repeated whatever became of it.
    var mayRepeat: Bool { location != nil || step == .discover || step == .create }

    var isRemoval: Bool { if case .discard = step { true } else { false } }

    var mayGoUnanswered: Bool { step == .discover }

    /// True if the connection may be closed without losing the sent bytes.
    var keepsBytes: Bool { location != nil && (style != .contentRange || knowsRanges) }

    /// True if the body of the current request is the new content of its URL, or a part of that.
    var sendsContent: Bool { step == .send || style == .contentRange }

    /// The upload's bytes before the current request's range.
    var base: Int64 {
        switch step {
        case .append(let offset): offset
        case .send: 0
        case .discover, .create, .locate, .discard: reached
        }
    }

    /// The byte range of the current request; nil for none.
    var piece: Range<Int64>? {
        switch step {
        case .append, .send: base..<base + min(content.length - base, appendLimit ?? .max)
        case .discover, .create, .locate, .discard: nil
        }
    }

    var hasMovedOn: Bool { isAnswered }

    private var isLastPiece: Bool { piece?.upperBound == content.length }

    // MARK: - Events

    /// Starts the request of the current step; an unanswered one is followed by a question for the offset.
    mutating func begin() {
        if !isAnswered { broke() }
        isAnswered = false
    }

    /// Counts the bytes of the current request that were given to its connection, and those the server received.
    mutating func moved(handedOut count: Int64, arrived: Int64) {
        guard !isAnswered, piece != nil else { return }
        handedOut = handedOut.map { max($0, base + count) }
        reached = base + arrived
    }

    private mutating func broke() {
        switch step {
        case .append: step = .locate
        // Before a byte was sent there is nothing to ask about.
        case .send where style == .contentRange && handedOut == 0: break
        case .send where location != nil: step = .locate
        case .discover, .create, .send, .locate, .discard: break
        }
    }

    /// Returns whether the server has confirmed a new maximum since the last call.
    mutating func takeProgress() -> Bool {
        defer { hasProgress = false }
        return hasProgress
    }

    /// Records that the current request got no response; true if it was OPTIONS and the upload is now sent without its
    /// answer.
    ///
    /// - Parameter stalled: true if the response timed out; the first cut connection may have another cause.
    mutating func foundNoAnswer(stalled: Bool) -> Bool {
        guard step == .discover else { return false }
        silences += 1
        guard stalled || silences > 1 else { return false }
        becomeOrdinary()
        return true
    }

    /// Sends the complete request from its first byte as if resumption were off.
    mutating func becomeOrdinary() {
        (location, confirmed, reached, handedOut, appendLimit) = (nil, 0, 0, 0, nil)
        isOrdinary = true
        advance(to: .send)
    }

    /// Sets the step after a response.
    mutating func advance(to next: Step) {
        (step, isAnswered) = (next, true)
    }

    /// Records the number of bytes that the server has stored.
    mutating func confirm(_ offset: Int64) {
        (confirmed, reached) = (offset, offset)
        if offset > furthest { (furthest, hasProgress, rounds) = (offset, true, 0) }
    }

    /// Restarts from the first byte.
    mutating func restartFromZero() {
        if style != .contentRange { location = nil }
        (confirmed, reached, handedOut, appendLimit) = (0, 0, 0, nil)
        advance(to: Self.firstStep(of: intent))
    }

    /// Counts a round without progress; false once there were enough.
    mutating func mayGoRound() -> Bool {
        rounds += 1
        return rounds <= Self.roundLimit
    }

    // MARK: - Requests

    /// Returns the request of the current step, derived from the caller's.
    func request(for original: TransferRequest) -> TransferRequest {
        var request = original
        if piece == nil { request.body = .none }
        if style == .contentRange, step != .send { return rangeRequest(for: original) }
        switch step {
        case .send where isOrdinary || style == .contentRange: return request
        case .send:
            request.headers["Upload-Draft-Interop-Version"] = Self.interopVersion
            request.headers["Upload-Complete"] = isLastPiece ? "?1" : "?0"
            request.headers["Upload-Length"] = String(content.length)
            return request
        case .discover:
            (request.method, request.headers) = ("OPTIONS", Self.common(original.headers))
            request.url = collection(of: original)
        case .create:
            (request.method, request.headers) = ("POST", creation(of: original))
            request.url = collection(of: original)
        case .locate: (request.method, request.headers) = ("HEAD", Self.common(original.headers))
        case .append(let offset):
            (request.method, request.headers) = ("PATCH", Self.common(original.headers))
            request.headers["Upload-Offset"] = String(offset)
            request.headers["Content-Type"] =
                style == .tus ? "application/offset+octet-stream" : "application/partial-upload"
            if style == .draft { request.headers["Upload-Complete"] = isLastPiece ? "?1" : "?0" }
        case .discard: (request.method, request.headers) = ("DELETE", Self.common(original.headers))
        }
        if let location, step != .discover, step != .create { request.url = location.url }
        switch style {
        case .tus: request.headers["Tus-Resumable"] = Self.tusVersion
        case .draft: request.headers["Upload-Draft-Interop-Version"] = Self.interopVersion
        case .contentRange, .multipart: break
        }
        return request
    }

    /// Returns the URL at which uploads are created.
    ///
    /// A server of tus chooses the names itself, so a URL that only adds the file's name to a folder stands for that
    /// folder, unless its caller has asked for tus at that URL.
    private func collection(of original: TransferRequest) -> String {
        guard intent == .automatic, case .file(let path) = original.body,
            let name = path.split(separator: "/").last
        else { return original.url }
        let last = URLScan(original.url).lastComponent
        guard ByteText.percentDecoded(original.url[last]) == Array(name.utf8) else { return original.url }
        return String(original.url[..<last.lowerBound]) + original.url[last.upperBound...]
    }

    /// Returns the fields that neither describe the body nor make the request conditional.
    static func common(_ fields: HeaderFields) -> HeaderFields {
        var kept = HeaderFields()
        for field in fields {
            let name = ByteText.lowercased(field.name)
            guard !name.hasPrefix("content-"), !name.hasPrefix("if-"), !name.hasPrefix("upload-"),
                !["range", "digest", "repr-digest", "idempotency-key", "expect"].contains(name)
            else { continue }
            kept.append(name: field.name, value: field.value)
        }
        return kept
    }

    /// Returns the fields that create an upload: its length, and its file's name and type.
    private func creation(of original: TransferRequest) -> HeaderFields {
        var fields = Self.common(original.headers)
        fields["Upload-Length"] = String(content.length)
        var metadata: [String] = []
        if case .file(let path) = original.body, let name = path.split(separator: "/").last {
            metadata.append("filename " + Base64.encode(Array(name.utf8)))
        }
        // Some servers demand a type before they report the offset, and refuse to continue without one.
        let type = original.headers["Content-Type"] ?? "application/octet-stream"
        metadata.append("filetype " + Base64.encode(Array(type.utf8)))
        fields["Upload-Metadata"] = metadata.joined(separator: ",")
        return fields
    }
}
