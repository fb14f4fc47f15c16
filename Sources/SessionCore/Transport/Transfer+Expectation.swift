/// Asking a server whether it wants a large body before it is sent (RFC 9110, 10.1.1).
extension Transfer {
    /// A body of at least so many bytes is worth a question.
    private static let worthAsking: Int64 = 1 << 20

    /// Whether the attempt asks: when its caller has said so, else when it is worth it.
    func expectsContinue(_ framing: RequestFraming) -> Bool {
        switch framing.expectation {
        case .asked: true
        case .withheld: false
        case .unsaid: (framing.bodyLength ?? .max) >= Self.worthAsking
        }
    }

    /// A server that does not understand the question gets the body without it.
    ///
    /// libcurl would do so by itself on the same handle, and the second answer would be taken for the end of the first;
    /// so the attempt ends here. A body that cannot be sent again leaves the 417 as the answer.
    func judgeRefusedExpectation(_ head: ResponseHead, _ attempt: Attempt) {
        attempt.endsAtHead = true
        refusesExpectation = true
        if request.body.isReplayable || description.asksForBody {
            settle(attempt, .sendUnasked, keepingPage: false)
        } else {
            accept(head, attempt)
            if attempt.verdict == .accepted { attempt.verdict = .settled(.complete) }
        }
    }
}
