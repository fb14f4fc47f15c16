import SessionCore

/// The state of a stub engine's transfer, as a value.
struct StubTransfer: Sendable {
    /// The event a transfer waits for.
    enum Wait: Sendable, Equatable {
        /// The first resume, and the restart after each redirect.
        case start
        /// No event: it continues while it is wanted.
        case nothing
        /// The gate before the head.
        case headGate
        /// A gate within the body.
        case gate
        /// The caller's decision about the response.
        case disposition(Int)
        /// The caller's decision about a redirect.
        ///
        /// - Parameters:
        ///   - proposed: the request that would follow.
        ///   - refusal: the error unless the caller allows it; nil if it needs no consent.
        indirect case redirect(proposed: TransferRequest, refusal: SessionError?)
    }

    let description: TransferDescription
    var request: TransferRequest
    var sink: TransferDescription.Sink
    var context = RedirectPolicy.Context()
    var wait = Wait.start
    var head: ResponseHead?
    var answer = StubAnswer()
    var steps: ArraySlice<StubAnswer.Step> = []
    var body: [UInt8] = []
    /// Bytes that were delivered and not yet consumed.
    var unread = 0
    var status = TaskStatus()

    init(_ description: TransferDescription) {
        self.description = description
        (request, sink) = (description.request, description.sink)
    }

    var id: TransferID { description.id }

    mutating func begin(_ answer: StubAnswer, sentBytes: Int) {
        self.answer = answer
        (head, body, steps) = (nil, [], answer.steps[...])
        (status.received, status.expectedToReceive, status.statusCode) = (0, nil, nil)
        (status.sent, status.expectedToSend) = (Int64(sentBytes), Int64(sentBytes))
        status.phase = .running
        wait = answer.gate == nil ? .nothing : .headGate
    }

    /// Takes the head; a HEAD request gets no body.
    mutating func takeHead() -> ResponseHead {
        let head = answer.head(url: request.url)
        self.head = head
        status.statusCode = head.statusCode
        if request.method == "HEAD" { steps = [] }
        status.expectedToReceive = head.headers["Content-Length"].flatMap { Int64($0) }
        return head
    }

    /// Whether the body goes to a file; an error page does not.
    var writesFile: Bool {
        guard let head, (200...299).contains(head.statusCode) else { return false }
        switch sink {
        case .memory, .stream: return false
        case .file, .staged: return true
        }
    }
}
