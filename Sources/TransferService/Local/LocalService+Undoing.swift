import SessionSupport

/// Commands and changes by client, by their ``LastHands``: a step is taken back only where no other client has changed its
/// rows since.
extension LocalService {
    @discardableResult
    package func send(_ command: TransferCommand, from client: UInt64) -> CommandReply {
        guard case .undo(let step) = command else {
            // It is this client's change from its beginning on, unless it is refused: then nothing has changed.
            let earlier = state.withLock { $0.hands.note(command, by: client) }
            let reply = carryOutForRows(command)
            guard !reply.refusals.isEmpty else { return reply }
            state.withLock { state in
                for refusal in reply.refusals { state.hands.giveBack(refusal.id, earlier, by: client) }
            }
            return reply
        }
        let others = state.withLock { $0.hands.others(than: client, in: step) }
        let isOfRun = step.rows.isEmpty
        let rest = isOfRun && !others.isEmpty ? nil : step.keeping { !others.contains($0) }
        var reply = rest.map { send($0, from: client) } ?? CommandReply()
        reply.refusals += others.sorted().map { CommandReply.Refusal(id: $0, reason: ServiceErrors.changedByAnother) }
        // The client has shown what it wanted; what stands is told again.
        if isOfRun, !others.isEmpty { configure { _ in } }
        return reply
    }

    package func send(_ command: TransferCommand, from client: UInt64, once key: UInt64) -> CommandReply {
        guard case .add(let jobs) = command else { return send(command, from: client) }
        return add(jobs, once: key)
    }

    package func changeURL(of id: UInt64, to url: String, from client: UInt64) -> Result<Int64?, TransferFailure> {
        let earlier = state.withLock { $0.hands.take(id, by: client) }
        let result = goOn(id, from: url)
        if case .failure = result { state.withLock { $0.hands.giveBack(id, earlier, by: client) } }
        return result
    }

    package func moveFile(
        of id: UInt64, to typed: String, isUndo: Bool, from client: UInt64
    ) -> Result<String?, TransferFailure> {
        // It is this client's change from its beginning on: the file has its new place before the row says so.
        let earlier = state.withLock { state in
            let isOthers = isUndo && !state.hands.others(than: client, in: [id]).isEmpty
            return isOthers ? nil : state.hands.take(id, by: client)
        }
        guard let earlier else { return Self.refusal(ServiceErrors.changedByAnother.string) }
        let result = move(id, to: typed)
        if case .failure = result { state.withLock { $0.hands.giveBack(id, earlier, by: client) } }
        return result
    }
}
