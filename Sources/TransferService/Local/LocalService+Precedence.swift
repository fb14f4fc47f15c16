import SessionCore
import SessionSupport

/// Tasks that wait for others outside of the library's queue.
extension LocalService {
    /// Carries out what has been decided about the tasks that wait for others.
    ///
    /// A failure may decide about further tasks: the first caller takes them too, so that a long chain needs no
    /// recursion. While a list is being added, its names are incomplete.
    func keepPrecedence() {
        var hasJudged = false
        // What is left may wait for tasks that no user resumes.
        defer { if hasJudged, isIdle { observers.receive(.idle) } }
        while true {
            let judgements = state.withLock { state -> [PrecedenceBoard.Judgement]? in
                guard state.precedence.hasDue, state.additions == 0, !state.isClosing else { return nil }
                return state.judgePrecedence()
            }
            guard let judgements else { return }
            hasJudged = true
            for judgement in judgements { carryOut(judgement) }
            state.withLock { $0.precedence.endJudging() }
        }
    }

    private func carryOut(_ judgement: PrecedenceBoard.Judgement) {
        let id = judgement.id
        defer { if judgement.changesUnsaved { saveJob(of: id) } }
        switch judgement.verdict {
        case .begins:
            state.withLock { $0.enqueue(id) }
            if judgement.wasTold { observers.receive(.changed(id)) }
        case .waits(let name):
            // Rows show it where there are any.
            if !observers.interest.showsRows, !judgement.wasTold {
                report(id, .notice(state.withLock { $0.waitLine(of: id, for: name) }))
            }
            observers.receive(.changed(id))
        case .fails(let sentence):
            guard state.withLock({ $0.rows.wantsTask(id) }) else { return }
            fail(id, TransferFailure(kind: Cause.predecessor.rawValue, category: .ordinary, message: sentence))
            observers.receive(.changed(id))
        }
    }

    /// Starts tasks before their predecessors have ended, on the user's request.
    func freeFromPredecessors(_ ids: [UInt64]) {
        state.withLock { state in
            for id in ids where state.rows.precedence(of: id)?.predecessors.isEmpty == false {
                state.precedence.free(id)
                state.enqueue(id)
            }
        }
    }
}

extension LocalService.State {
    fileprivate mutating func judgePrecedence() -> [PrecedenceBoard.Judgement] {
        var board = precedence
        precedence = PrecedenceBoard()
        defer { precedence = board }
        let judgements = board.judge { id in
            guard rows.has(id) else { return (.gone, true) }
            let predecessor: Precedence.Predecessor =
                switch rows.result(of: id) {
                case nil, .unfinished: .unfinished
                case .completed: .completed
                case .failed: .failed
                case .cancelled: .cancelled
                }
            return (predecessor, !unsavedNames.contains(id))
        }
        if judgements.isEmpty { board.endJudging() }
        return judgements
    }

    /// Records a job's row under the job's name.
    mutating func nameRow(_ id: UInt64, of job: Job) { precedence.name(id, job.precedence) }

    /// Adds the predecessor's name to a row that waits for it.
    func completed(_ snapshot: RowSnapshot) -> RowSnapshot {
        guard snapshot.state == .queued, let name = precedence.awaited(by: snapshot.id) else { return snapshot }
        var snapshot = snapshot
        snapshot.opening = .afterOthers
        snapshot.error = SafeText(untrusted: waitLine(of: snapshot.id, for: name))
        return snapshot
    }

    /// The sentence about a row that waits for another one.
    func waitLine(of id: UInt64, for name: String) -> String {
        precedence.lacksAwaited(by: id) ? QueueLines.waits(forLost: name) : QueueLines.waits(for: name)
    }
}
