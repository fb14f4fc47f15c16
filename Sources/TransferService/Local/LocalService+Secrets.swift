import SessionCore
import SessionSupport

/// Secrets that commands print.
extension LocalService {
    /// Runs the commands that print an admitted row's secrets, then calls back, perhaps on another thread.
    ///
    /// A failed command fails the row, and a row that was stopped in the meantime is left as it is: neither calls back.
    func prepareSecrets(of row: RowAdmission, _ done: @escaping @Sendable () -> Void) {
        let commands = row.job.options.compactMap(\.command)
        guard !commands.isEmpty else { return done() }
        let identity = factory.identity
        let turn = state.withLock { $0.beginSearch(row.id) }
        identity.commands.prepare(commands[...], identity.environment) { [weak self] failure in
            guard let self else { return }
            let isWanted = state.withLock { state in
                guard state.endSearch(row.id, turn) else { return false }
                state.secretsInUse[row.id] = identity.commands.known(of: commands)
                return true
            }
            guard isWanted else { return }
            guard let failure else { return done() }
            let error = SessionError(
                .invalidRequest, CommandReasons.failed(failure.cause), failingURL: row.job.url)
            fail(row.id, TransferFailure(error))
        }
    }

    /// Asks the commands of a refused row again and repeats it if a secret has changed, once per refusal; returns
    /// false for any other failure.
    ///
    /// Only the library's run has ended, not the row's.
    func asksForOtherSecrets(_ row: RowEnding, _ failure: TransferFailure, _ timings: TransferEvent.Timings?) -> Bool {
        let id = row.id
        let refused = state.withLock { $0.takeRefusedSecrets(of: id, status: failure.httpStatus) }
        guard let refused else { return false }
        report(id, .notice(ServiceLines.secretRefused))
        let identity = factory.identity
        identity.commands.renew(refused, identity.environment) { [weak self] hasChanged in
            self?.endRefusal(row, hasChanged, failure, timings)
        }
        return true
    }

    private func endRefusal(
        _ ending: RowEnding, _ hasChanged: Bool, _ failure: TransferFailure, _ timings: TransferEvent.Timings?
    ) {
        let id = ending.id
        guard hasChanged, !state.withLock({ $0.isClosing }), let row = row(id),
            Self.isRefusal(row.run.result?.refusedStatus)
        else {
            return endRefusedBody(ending, .failed(failure), timings)
        }
        ending.output?.perform { $0.discard() }
        retry(row, isTold: false)
        // The run that was refused has not counted as ended.
        state.withLock { $0.liveCount -= 1 }
        tellQueue()
    }
}

extension TransferResult {
    /// The status of the response that was a failure; nil for other ends.
    var refusedStatus: Int? {
        if case .failed(let failure) = self { failure.httpStatus } else { nil }
    }
}

extension LocalService {
    /// Whether a server or a proxy refuses credentials with this status.
    static func isRefusal(_ status: Int?) -> Bool { status == 401 || status == 407 }
}

extension LocalService.State {
    /// The secrets of commands that a server has refused for the first time since a success; nil where there are none.
    mutating func takeRefusedSecrets(of id: UInt64, status: Int?) -> [String: String]? {
        guard let used = secretsInUse.removeValue(forKey: id), !isClosing else { return nil }
        guard LocalService.isRefusal(status), secretsRenewed.insert(id).inserted else {
            secretsRenewed.remove(id)
            return nil
        }
        return used
    }

    mutating func forgetSecrets(of id: UInt64) {
        if secretsInUse.isEmpty, secretsRenewed.isEmpty { return }
        secretsInUse[id] = nil
        secretsRenewed.remove(id)
    }

    /// Whether the body of a refusal is withheld, because another response may take its place.
    func mayReplace(refusal status: Int?, of id: UInt64) -> Bool {
        LocalService.isRefusal(status) && secretsInUse[id] != nil && !secretsRenewed.contains(id)
    }
}
