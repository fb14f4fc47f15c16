import SessionSupport
import TransferService

/// Writes the failed tasks of a service as a list at the end of one of its windows.
///
/// The service itself goes on, and does not know what the window was asked for. Safe from any thread.
final class WindowFailures: Sendable {
    private let path: String
    private let keepsSecrets: Bool
    /// The sentence about a list that is not written; the outer nil before the end.
    private let outcome = Locked<SafeText??>(nil)

    /// Returns nil where the window writes no list.
    init?(_ settings: Settings) {
        guard let path = settings.failedPath else { return nil }
        (self.path, keepsSecrets) = (path, settings.keepsSecrets)
    }

    /// Writes the list once, and returns a sentence when it is not written.
    @discardableResult
    func write(from service: any TransferService) -> SafeText? {
        if let known = outcome.withLock({ $0 }) { return known }
        let problem = written(from: service)
        outcome.withLock { $0 = .some(problem) }
        return problem
    }

    private func written(from service: any TransferService) -> SafeText? {
        guard case .rows(let rows) = service.answer(.page(after: nil, limit: .max)) else {
            return ServiceErrors.unwrittenFailures(SafeText(untrusted: path), ControlLines.serviceAway)
        }
        let jobs = service.jobs(of: rows.filter { $0.state == .failed }.map(\.id))
        return FailedList.write(jobs, to: path, keepingSecrets: keepsSecrets)
    }
}

extension TransferService {
    /// Retries the failed tasks of a session that runs already: it was opened for another command line.
    func retryFailed() {
        guard case .rows(let rows) = answer(.page(after: nil, limit: .max)) else { return }
        let ids = rows.filter { $0.state == .failed }.map(\.id)
        if !ids.isEmpty { send(.resume(ids)) }
    }
}
