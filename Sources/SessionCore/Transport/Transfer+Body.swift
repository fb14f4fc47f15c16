/// A request body that has to be sent again and cannot be read again.
extension Transfer {
    /// Gets ready for an attempt, with a fresh body where the last one is spent.
    func prepareRequest() {
        guard isBodySpent, !request.body.isReplayable else {
            handler.prepare { [unowned self] preparation in prepared(preparation) }
            return
        }
        guard description.asksForBody else { return failUnreplayable() }
        let reply: @Sendable (BodySpecification?) -> Void = question { $0.takeBody($1) }
        core.emit(.needsBody(id, reply: reply))
    }

    private func takeBody(_ body: BodySpecification?) {
        guard let body else { return failUnreplayable() }
        isBodySpent = false
        replacementBody = body
        request.body = body
        prepareRequest()
    }

    private func failUnreplayable() {
        fail(
            SessionError(
                .notReplayable, "The body has to be sent again, but it cannot be read a second time",
                failingURL: request.url))
    }

    /// A reply for somebody else's thread: the answer is taken on the loop, unless the question was settled meanwhile.
    func question<Answer: Sendable>(
        _ take: @escaping @Sendable (Transfer, Answer) -> Void
    ) -> @Sendable (Answer) -> Void {
        let number = nextQuestion()
        let loop = core.loop
        let id = id
        return { answer in
            loop.perform { core in
                guard let transfer = core.transfer(id), transfer.openQuestion == number else { return }
                transfer.openQuestion = nil
                take(transfer, answer)
            }
        }
    }
}
