import SessionSupport

/// Commands and changes by client, by their ``LastHands``: a step is taken back only where no other client has changed its
/// rows since.
extension LocalService {
    @discardableResult
    package func send(_ command: TransferCommand, from client: UInt64) -> CommandReply {
        guard case .undo(let step) = command else {
            state.withLock { $0.hands.note(command, by: client) }
            return carryOutForRows(command)
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

    package func changeURL(of id: UInt64, to url: String, from client: UInt64) -> Result<Int64?, TransferFailure> {
        let result = goOn(id, from: url)
        if case .success = result { state.withLock { $0.hands.note([id], by: client) } }
        return result
    }

    package func moveFile(
        of id: UInt64, to typed: String, isUndo: Bool, from client: UInt64
    ) -> Result<String?, TransferFailure> {
        guard !isUndo || state.withLock({ $0.hands.others(than: client, in: [id]).isEmpty }) else {
            return Self.refusal(ServiceErrors.changedByAnother.string)
        }
        let result = move(id, to: typed)
        if case .success = result { state.withLock { $0.hands.note([id], by: client) } }
        return result
    }
}
