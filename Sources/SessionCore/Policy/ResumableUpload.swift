import SessionSupport

/// What is asked next of a server that keeps an upload, and what its answers mean: a value without side effects.
///
/// tus 1.0 creates an upload and appends to it; the draft of the IETF sends the request as it is, hears of a place in an
/// interim answer (104), and appends to it behind a cut. Both tell at their place how much is there.
struct ResumableUpload: Sendable, Equatable {
    /// The request that is sent next.
    enum Step: Sendable, Equatable {
        /// Asks what the server offers.
        case discover
        /// tus: has an upload made, without a byte of it.
        case create
        /// The draft: the request itself, from its first byte on.
        case send
        /// Asks how much is there.
        case locate
        /// Sends what follows an offset.
        case append(Int64)
        /// Gives up what is there, and fails then.
        indirect case discard(SessionError)
    }

    /// The number of the draft that both sides have to name.
    static let interopVersion = "8"
    static let tusVersion = "1.0.0"
    /// The most answers in a row that contradict each other before the upload fails.
    private static let roundLimit = 3

    let intent: UploadResumption
    let content: UploadContent
    var step: Step
    var place: UploadLocation?
    /// Bytes that the server has said it has.
    var confirmed: Int64 = 0
    /// The most bytes that were given to a connection in this run; nil where an earlier run has sent some.
    var handedOut: Int64?
    /// The most bytes that one request may bring; nil for any number.
    var appendLimit: Int64?
    /// Why the places that the server has named cannot be used.
    var contradiction: SessionError?
    /// Whether the request goes out as if nothing were wished: nobody has answered the question what the server offers.
    private(set) var isOrdinary = false
    /// How often that question found no answer.
    private var silences = 0
    /// Whether the current request was answered, so that ``step`` is the one behind it.
    private var isAnswered = false
    /// Whether more was confirmed than ever before since somebody asked.
    private var hasProgress = false
    private var furthest: Int64 = 0
    private var rounds = 0
    /// Bytes that had arrived when the last request ended, as far as is known here.
    private var reached: Int64 = 0

    /// An upload of bytes; what was begun at a place with the same bytes goes on there.
    init(_ plan: UploadPlan, content: UploadContent) {
        intent = plan.intent
        self.content = content
        if let place = plan.place, place.content == content {
            self.place = place
            step = .locate
        } else {
            step = Self.firstStep(of: plan.intent)
            handedOut = 0
        }
    }

    private static func firstStep(of intent: UploadResumption) -> Step {
        switch intent {
        case .automatic: .discover
        case .tus: .create
        case .draft, .off: .send
        }
    }

    /// The protocol of the current step.
    var style: UploadLocation.Style {
        if let place { return place.style }
        return switch step {
        case .send: .draft
        case .discover, .create, .locate, .append, .discard: .tus
        }
    }

    /// Whether the current request may be sent again whatever has become of it.
    var mayRepeat: Bool { place != nil || step == .discover || step == .create }

    /// Whether the connection may be given up without losing what was sent.
    var keepsBytes: Bool { place != nil }

    /// Bytes of the upload before those of the current request.
    var base: Int64 {
        switch step {
        case .append(let offset): offset
        case .send: 0
        case .discover, .create, .locate, .discard: reached
        }
    }

    /// The bytes that the current request brings; nil for none.
    var piece: Range<Int64>? {
        switch step {
        case .append, .send: base..<min(content.length, appendLimit.map { base + $0 } ?? content.length)
        case .discover, .create, .locate, .discard: nil
        }
    }

    /// Whether the current request ends the upload.
    private var isLastPiece: Bool { piece?.upperBound == content.length }

    // MARK: - What happens

    /// The request of the current step follows; one that was not answered is asked about first.
    mutating func begin() {
        if !isAnswered { broke() }
        isAnswered = false
    }

    /// So many bytes of the current request were given to its connection, and so many of them have arrived.
    mutating func moved(handedOut count: Int64, arrived: Int64) {
        guard !isAnswered, piece != nil else { return }
        handedOut = handedOut.map { max($0, base + count) }
        reached = base + arrived
    }

    private mutating func broke() {
        switch step {
        case .append: step = .locate
        case .send where place != nil: step = .locate
        case .discover, .create, .send, .locate, .discard: break
        }
    }

    /// Whether the server has confirmed more than ever before since this was asked last.
    mutating func takeProgress() -> Bool {
        defer { hasProgress = false }
        return hasProgress
    }

    /// Nobody has answered the current request; true when it was the question what the server offers and the upload is sent
    /// without an answer now.
    ///
    /// - Parameter stalled: whether the answer was waited for; a connection that was cut may be another's fault, once.
    mutating func foundNoAnswer(stalled: Bool) -> Bool {
        guard step == .discover else { return false }
        silences += 1
        guard stalled || silences > 1 else { return false }
        isOrdinary = true
        advance(to: .send)
        return true
    }

    /// The step behind an answer.
    mutating func advance(to next: Step) {
        (step, isAnswered) = (next, true)
    }

    /// The server has said how much it has.
    mutating func confirm(_ offset: Int64) {
        (confirmed, reached) = (offset, offset)
        if offset > furthest { (furthest, hasProgress, rounds) = (offset, true, 0) }
    }

    /// Begins from the first byte.
    mutating func restartFromZero() {
        (place, confirmed, reached, handedOut, appendLimit) = (nil, 0, 0, 0, nil)
        advance(to: Self.firstStep(of: intent))
    }

    /// Counts a round that has brought nothing; false where there were enough.
    mutating func mayGoRound() -> Bool {
        rounds += 1
        return rounds <= Self.roundLimit
    }

    // MARK: - Requests

    /// The request of the current step, made of the one that its caller wants.
    func request(for original: TransferRequest) -> TransferRequest {
        var request = original
        if piece == nil { request.body = .none }
        switch step {
        case .send where isOrdinary: return request
        case .send:
            request.headers["Upload-Draft-Interop-Version"] = Self.interopVersion
            request.headers["Upload-Complete"] = isLastPiece ? "?1" : "?0"
            request.headers["Upload-Length"] = String(content.length)
            return request
        case .discover: (request.method, request.headers) = ("OPTIONS", Self.common(original.headers))
        case .create: (request.method, request.headers) = ("POST", creation(of: original))
        case .locate: (request.method, request.headers) = ("HEAD", Self.common(original.headers))
        case .append(let offset):
            (request.method, request.headers) = ("PATCH", Self.common(original.headers))
            request.headers["Upload-Offset"] = String(offset)
            request.headers["Content-Type"] =
                style == .tus ? "application/offset+octet-stream" : "application/partial-upload"
            if style == .draft { request.headers["Upload-Complete"] = isLastPiece ? "?1" : "?0" }
        case .discard: (request.method, request.headers) = ("DELETE", Self.common(original.headers))
        }
        if let place, step != .discover, step != .create { request.url = place.url }
        switch style {
        case .tus: request.headers["Tus-Resumable"] = Self.tusVersion
        case .draft: request.headers["Upload-Draft-Interop-Version"] = Self.interopVersion
        }
        return request
    }

    /// Fields of a request that say nothing of its body, and make no condition.
    private static func common(_ fields: HeaderFields) -> HeaderFields {
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

    /// The fields that have an upload made: its length, and what its file is called.
    private func creation(of original: TransferRequest) -> HeaderFields {
        var fields = Self.common(original.headers)
        fields["Upload-Length"] = String(content.length)
        var facts: [String] = []
        if case .file(let path) = original.body, let name = path.split(separator: "/").last {
            facts.append("filename " + Base64.encode(Array(name.utf8)))
        }
        // Some servers want a type before they tell how far an upload is, and refuse to go on without one.
        let type = original.headers["Content-Type"] ?? "application/octet-stream"
        facts.append("filetype " + Base64.encode(Array(type.utf8)))
        fields["Upload-Metadata"] = facts.joined(separator: ",")
        return fields
    }
}
