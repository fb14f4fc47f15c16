import CLinux
import SessionCore
import SessionSupport

/// What a command is asked for after a refusal.
enum CommandQuestion {
    /// Other secrets than these, by the commands that printed them.
    case secrets([String: String], RefusedRun)
    case link(RefusedRun)
}

/// The run that a server has refused, and the number of the question about it.
///
/// Until the answer its row has not ended: it waits without a task, and heeds a pause and a cancellation.
struct RefusedRun: Sendable {
    let question: Int
    let run: TransferRow.Run
}

/// A row with a refused run.
struct RefusedRow: Sendable {
    let ending: RowEnding
    let refused: RefusedRun

    /// Drops the body of the refusal, which is not the response.
    func dropBody() {
        ending.output?.perform { if !$0.hasEnded { $0.discard() } }
    }
}

/// Refusals after which a command of the user is asked for another secret or link.
extension LocalService {
    /// Whether a result may mean that the link has expired, which a command replaces.
    func mayBeExpiry(_ result: TransferResult, body: [UInt8]) -> Bool {
        guard expiryCommand != nil, case .failed(let failure) = result else { return false }
        return FreshLink.isExpiry(status: failure.httpStatus, body: body)
    }

    /// Asks a command; where that is impossible, the row ends.
    func ask(
        _ question: CommandQuestion, _ ending: RowEnding, _ failure: TransferFailure,
        _ timings: TransferEvent.Timings?
    ) {
        switch question {
        case .secrets(let secrets, let refused):
            askForSecrets(secrets, RefusedRow(ending: ending, refused: refused), failure, timings)
        case .link(let refused):
            let row = RefusedRow(ending: ending, refused: refused)
            guard asksForLink(row, failure, timings) else { return end(row, failure, timings) }
        }
        observers.receive(.changed(ending.id))
    }

    /// Ends a refused row for which nothing else was found.
    func end(_ row: RefusedRow, _ failure: TransferFailure, _ timings: TransferEvent.Timings?) {
        var ending = row.ending
        let (hasFailed, ended) = state.withLock { $0.fail(row, failure) }
        guard hasFailed else { return row.dropBody() }
        ending.ended = ended
        save(ending.id)
        observers.receive(.changed(ending.id))
        endRefusedBody(ending, .failed(failure), timings)
        if ending.kind == .data { planRepeat(ending.id) }
    }

    // MARK: - Links

    /// Asks the command for a fresh link; returns false where it cannot be started.
    private func asksForLink(
        _ refused: RefusedRow, _ failure: TransferFailure, _ timings: TransferEvent.Timings?
    ) -> Bool {
        guard let command = expiryCommand, let row = row(refused.ending.id) else { return false }
        report(row.id, .notice(ServiceLines.linkExpired))
        let task = ExpiredTask(
            id: row.id, kind: row.job.kind.rawValue, method: row.job.sentMethod, url: row.job.url, tag: row.job.tag,
            path: wholePath(of: row.id), httpStatus: failure.httpStatus, received: row.run.lastStatus.received)
        let shell = ShellCommand(text: command, environment: factory.identity.environment)
        do throws(SystemThread.Refusal) {
            try SystemThread.detach(name: "netdash-link") { [weak self] in
                let outcome: Result<FreshLink, ShellCommand.Failure>
                do throws(ShellCommand.Failure) {
                    outcome = .success(try FreshLink(try shell.output(input: task.json)))
                } catch {
                    outcome = .failure(error)
                }
                self?.endExpiry(refused, outcome, failure, timings)
            }
        } catch {
            return false
        }
        return true
    }

    /// The path of a task's file, which is valid in every folder.
    private func wholePath(of id: UInt64) -> String? {
        path(of: id).map { $0.replacing("/./", with: "/") }
    }

    /// Whether the body of a response is withheld, because another response may take its place.
    func mayReplace(refusal status: Int?, of id: UInt64, _ state: State) -> Bool {
        if expiryCommand != nil, let status, [400, 401, 403, 410].contains(status) { return true }
        return state.mayReplace(refusal: status, of: id)
    }

    private func endExpiry(
        _ row: RefusedRow, _ outcome: Result<FreshLink, ShellCommand.Failure>, _ failure: TransferFailure,
        _ timings: TransferEvent.Timings?
    ) {
        var failure = failure
        switch outcome {
        case .success(let link):
            // A row that was stopped or changed in the meantime needs no link.
            guard let change = state.withLock({ $0.plan(link, for: row) }) else { return row.dropBody() }
            guard let problem = replaceLink(of: row, by: change) else { return row.dropBody() }
            failure.message = ServiceErrors.linkNotReplaced(failure.message, problem)
        case .failure(let problem):
            failure.message = ServiceErrors.linkNotReplaced(failure.message, problem.cause)
        }
        end(row, failure, timings)
    }

    /// Lets a refused row become its task with another link; returns why that is impossible, and nil where something
    /// else was asked for in the meantime.
    private func replaceLink(of refused: RefusedRow, by change: RowChange) -> String? {
        let id = refused.ending.id
        if let (row, planned) = state.withLock({ $0.plannedChange(of: id) }), planned == change,
            case .failure(let failure) = become(row, change, isPlanned: true),
            state.withLock({ $0.drop(change, of: refused) })
        {
            changesEnded.change { $0 += 1 }
            return failure.message
        }
        finishChange(of: id)
        return nil
    }
}

extension LocalService.State {
    /// Lets a refused row wait for the answer of a command, where one may have another secret or link; returns what the
    /// command is asked for.
    ///
    /// Each is asked for once: a link again when more of its file has arrived, a secret again after a success.
    mutating func holdRefused(
        _ slot: RowSlot, _ task: SessionTask, _ failure: TransferFailure, isExpiry: Bool, at time: Int64
    ) -> CommandQuestion? {
        let secrets = takeRefusedSecrets(of: slot.id, status: failure.httpStatus)
        let mayAskForLink =
            secrets == nil && isExpiry && slot.row.job.body != .standardInput
            && mayAskForLink(of: slot.id, received: slot.row.keptStatus.received)
        guard !isClosing, secrets != nil || mayAskForLink else { return nil }
        questionCount += 1
        let refused = RefusedRun(question: questionCount, run: slot.row.run)
        slotOfTask[task.id] = nil
        leaveHours(slot)
        slot.row.wait(for: refused, at: time)
        return secrets.map { .secrets($0, refused) } ?? .link(refused)
    }

    /// The row of a refused run, which from now on waits for no answer; nil where it was stopped or changed in the
    /// meantime, and where the program ends.
    mutating func takeRefused(_ row: RefusedRow) -> RowSlot? {
        guard let slot = slot(of: row) else { return nil }
        (slot.row.run.question, slot.row.run.output) = (nil, nil)
        return slot
    }

    private mutating func slot(of row: RefusedRow) -> RowSlot? {
        guard !isClosing, let slot = rows.slot(of: row.ending.id), !slot.row.isFinal, !slot.row.run.isChanging,
            slot.row.run.question == row.refused.question
        else { return nil }
        return slot
    }

    /// Plans a fresh link for a refused row, which stays paused if it is; nil where it waits for none any more.
    fileprivate mutating func plan(_ link: FreshLink, for row: RefusedRow) -> RowChange? {
        guard let slot = slot(of: row) else { return nil }
        var change = RowChange(job: link.job(slot.row.job), subject: .url)
        change.wasPaused = slot.row.run.isPausedInQueue
        change.job.startsPaused = change.wasPaused
        successions[slot.id] = .becomes(change)
        slot.row.run.isChanging = true
        return change
    }

    /// Drops the planned link of a refused row; false if something else is planned for it by now.
    fileprivate mutating func drop(_ change: RowChange, of row: RefusedRow) -> Bool {
        let id = row.ending.id
        guard successions[id] == .becomes(change), let slot = rows.slot(of: id), slot.row.run.isChanging else {
            return false
        }
        successions[id] = nil
        slot.row.run.isChanging = false
        return true
    }

    /// Gives a row its refused run back, which has failed, and returns it for the history; returns false where it was
    /// stopped or changed in the meantime.
    fileprivate mutating func fail(_ row: RefusedRow, _ failure: TransferFailure) -> (hasFailed: Bool, EndedRow?) {
        guard let slot = takeRefused(row) else { return (false, nil) }
        slot.row.run = row.refused.run
        slot.row.run.result = .failed(failure)
        if let task = slot.row.run.task { slotOfTask[task.id] = slot }
        recordFailure(of: slot.row)
        return (true, tellEnd(of: slot))
    }

    /// Lets the commands of a row be asked again, because its user wants another try.
    mutating func forgetQuestions(about id: UInt64) {
        expiries[id] = nil
        forgetSecrets(of: id)
    }

    /// Whether a task may ask for a fresh link: at first, and again once more of its file has arrived.
    private mutating func mayAskForLink(of id: UInt64, received: Int64) -> Bool {
        guard !isClosing else { return false }
        if let earlier = expiries[id], received <= earlier { return false }
        expiries[id] = received
        return true
    }
}

extension TransferRow {
    /// Begins the wait of a refused row for the answer of a command.
    fileprivate mutating func wait(for refused: RefusedRun, at time: Int64) {
        let (kept, ended) = (keptStatus, run)
        run = Run(isRetry: true, decision: unfinishedDecision, queuedAt: time)
        run.lastStatus = kept
        run.output = ended.output
        run.question = refused.question
    }
}
