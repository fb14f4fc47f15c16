import CLinux
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

    /// Asks the commands of a refused row again, and lets it go on if a secret has changed.
    func askForSecrets(
        _ refused: [String: String], _ row: RefusedRow, _ failure: TransferFailure, _ timings: TransferEvent.Timings?
    ) {
        report(row.ending.id, .notice(ServiceLines.secretRefused))
        let identity = factory.identity
        identity.commands.renew(refused, identity.environment) { [weak self] hasChanged in
            guard hasChanged else { self?.end(row, failure, timings); return }
            self?.goOn(row)
        }
    }

    private func goOn(_ row: RefusedRow) {
        let id = row.ending.id
        let isPaused = state.withLock { state -> Bool? in
            guard let slot = state.takeRefused(row) else { return nil }
            slot.row.run.queuedAt = cl_monotonic_milliseconds()
            state.enqueue(id)
            return slot.row.run.isPausedInQueue
        }
        row.dropBody()
        guard let isPaused else { return }
        if !isPaused { report(id, .resumed) }
        observers.receive(.changed(id))
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
