import SessionCore

/// Where a transfer of the stub's engine stands: a value.
struct StubTransfer: Sendable {
    /// What it waits for.
    enum Wait: Sendable, Equatable {
        /// To be resumed for the first time, and after each redirect.
        case start
        /// For nothing: it goes on when it is wanted.
        case nothing
        /// For the gate before the head.
        case headGate
        /// For a gate within the body.
        case gate
        /// For the caller's word about the response.
        case disposition(Int)
        /// For the caller's word about a redirect.
        case redirect
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
    /// Bytes that were passed on and that nobody is done with.
    var unread = 0
    var refusal: SessionError?
    var status = TaskStatus()

    init(_ description: TransferDescription) {
        self.description = description
        (request, sink) = (description.request, description.sink)
    }

    var id: TransferID { description.id }

    /// Takes up a request's answer.
    mutating func begin(_ answer: StubAnswer, sentBytes: Int) {
        self.answer = answer
        (head, body, steps) = (nil, [], answer.steps[...])
        (status.received, status.expectedToReceive, status.statusCode) = (0, nil, nil)
        (status.sent, status.expectedToSend) = (Int64(sentBytes), Int64(sentBytes))
        status.phase = .running
        wait = answer.gate == nil ? .nothing : .headGate
    }

    /// Takes up the head, of which HEAD gets no body.
    mutating func takeHead() -> ResponseHead {
        let head = answer.head(url: request.url)
        self.head = head
        status.statusCode = head.statusCode
        if request.method == "HEAD" { steps = [] }
        status.expectedToReceive = head.headers["Content-Length"].flatMap { Int64($0) }
        return head
    }

    /// Whether the body goes to a file, which an error page does not.
    var writesFile: Bool {
        guard let head, (200...299).contains(head.statusCode) else { return false }
        switch sink {
        case .memory, .stream: return false
        case .file, .staged: return true
        }
    }
}
