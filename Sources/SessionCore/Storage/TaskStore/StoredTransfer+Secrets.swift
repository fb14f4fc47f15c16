import Support

/// What of a request may lie on a disk.
extension StoredTransfer {
    /// Bytes of a body in memory that are stored; a larger one belongs in a file.
    static let bodyLimit = 1 << 20

    /// A transfer as it may be stored: without header fields and parts of the URL that hold secrets.
    ///
    /// Throws `invalidRequest` for a body that cannot be stored: one of more than ``bodyLimit`` bytes in memory, or a
    /// descriptor, which means nothing to a later run.
    init(
        storing request: TransferRequest, id: TransferID, kind: TransferKind, destination: Destination,
        createdAt: Double
    ) throws(SessionError) {
        try Self.check(request.body, of: request)
        var safe = request
        safe.url = Redaction.url(request.url, userInfo: .removed)
        safe.headers = HeaderFields()
        for field in request.headers where !Self.isSecret(field.name) {
            safe.headers.append(name: field.name, value: field.value)
        }
        self.init(
            id: id, kind: kind, request: safe,
            needsCredentials: safe.url != request.url || safe.headers.count != request.headers.count,
            destination: destination, createdAt: createdAt)
    }

    /// Whether it can be sent again without its user: nothing is missing, and a request that must not be repeated was
    /// never sent.
    public var canResumeUnattended: Bool {
        !needsCredentials && (!wasStarted || request.isIdempotent)
    }

    /// Whether a header field's name says that its value opens doors.
    static func isSecret(_ name: String) -> Bool {
        if HeaderFields.sameName(name, "Idempotency-Key") { return false }
        return HeaderFields.sameName(name, "Cookie") || Redaction.hidesParameter(name)
    }

    private static func check(_ body: BodySpecification, of request: TransferRequest) throws(SessionError) {
        switch body {
        case .none, .file:
            return
        case .bytes(let bytes):
            guard bytes.count > bodyLimit else { return }
            throw SessionError(
                .invalidRequest, "A body of more than \(bodyLimit) bytes must come from a file to be kept",
                failingURL: request.url)
        case .descriptor:
            throw SessionError(
                .invalidRequest, "A body that comes from a stream cannot be kept for a later run",
                failingURL: request.url)
        }
    }
}
