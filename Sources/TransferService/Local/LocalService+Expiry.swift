import SessionCore
import SessionSupport

/// Links that have expired: a command of the user replaces them.
extension LocalService {
    /// Asks the command for a fresh link of a refused task, once per expiry; returns false for any other failure, and
    /// without a command.
    ///
    /// Only the library's run has ended, not the row's.
    func asksForFreshLink(
        _ ending: RowEnding, _ failure: TransferFailure, body: [UInt8], _ timings: TransferEvent.Timings?
    ) -> Bool {
        guard let command = expiryCommand, FreshLink.isExpiry(status: failure.httpStatus, body: body),
            let row = row(ending.id), row.job.body != .standardInput,
            state.withLock({ $0.mayAskForLink(of: ending.id, received: row.keptStatus.received) })
        else { return false }
        report(ending.id, .notice(ServiceLines.linkExpired))
        let task = ExpiredTask(
            id: row.id, kind: row.job.kind.rawValue, method: row.job.sentMethod, url: row.job.url, tag: row.job.tag,
            path: wholePath(of: row.id), httpStatus: failure.httpStatus, received: row.keptStatus.received)
        let shell = ShellCommand(text: command, environment: factory.identity.environment)
        do throws(SystemThread.Refusal) {
            try SystemThread.detach(name: "netdash-link") { [weak self] in
                let outcome: Result<FreshLink, ShellCommand.Failure>
                do throws(ShellCommand.Failure) {
                    outcome = .success(try FreshLink(try shell.output(input: task.json)))
                } catch {
                    outcome = .failure(error)
                }
                self?.endExpiry(ending, outcome, failure, timings)
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
        _ ending: RowEnding, _ outcome: Result<FreshLink, ShellCommand.Failure>, _ failure: TransferFailure,
        _ timings: TransferEvent.Timings?
    ) {
        var failure = failure
        switch outcome {
        case .success(let link):
            guard let problem = replaceLink(of: ending.id, by: link) else {
                ending.output?.perform { $0.discard() }
                // The run that was refused has not counted as ended.
                return state.withLock { $0.liveCount -= 1 }
            }
            failure.message = ServiceErrors.linkNotReplaced(failure.message, problem)
        case .failure(let problem):
            failure.message = ServiceErrors.linkNotReplaced(failure.message, problem.cause)
        }
        state.withLock { [failure] state in
            guard let slot = state.rows.slot(of: ending.id), slot.row.isFinal else { return }
            slot.row.run.result = .failed(failure)
        }
        observers.receive(.changed(ending.id))
        endRefusedBody(ending, .failed(failure), timings)
    }

    /// Starts a refused task again with a fresh link; returns the problem, or nil.
    private func replaceLink(of id: UInt64, by link: FreshLink) -> String? {
        guard !state.withLock({ $0.isClosing }), let row = row(id), case .failed = row.run.result else {
            return ServiceErrors.taskGone
        }
        let job = link.job(row.job)
        guard row.job.kind == .download else { return replace(id, with: job) ? nil : ServiceErrors.pathTaken }
        switch carryOn(row, as: job, isTold: false) {
        case .success: return nil
        case .failure(let failure): return failure.message
        }
    }
}

extension LocalService.State {
    /// Whether a task may ask for a fresh link: at first, and again once more of its file has arrived.
    mutating func mayAskForLink(of id: UInt64, received: Int64) -> Bool {
        guard !isClosing else { return false }
        if let earlier = expiries[id], received <= earlier { return false }
        expiries[id] = received
        return true
    }
}
