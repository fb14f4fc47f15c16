import Support

/// Lets callers that want the same folder synced at the same time share one sync (group commit, without timers).
///
/// The first caller syncs. Callers that arrive meanwhile may have renamed after the kernel had begun, so that sync does
/// not count for them: they wait for the next, which one of them performs for all.
final class FolderSync: Sendable {
    private struct State {
        var started = 0
        var finished = 0
        var requests = 0
        var failures: [Int: SessionError] = [:]
        var isRunning: Bool { started != finished }
    }

    private enum Step {
        case lead(round: Int)
        case done(SessionError?)
    }

    private let monitor = Monitor(State())

    /// How many callers have asked for a sync so far.
    var requestCount: Int { monitor.change { $0.requests } }

    /// Returns when a sync that began after the call has ended; throws what that sync failed with.
    func perform(_ sync: () -> SessionError?) throws(SessionError) {
        var ticket: Int?
        while true {
            let step = monitor.wait { state -> Step? in
                if ticket == nil { state.requests += 1 }
                let mine = ticket ?? state.started + 1
                ticket = mine
                if state.finished >= mine { return .done(state.failures[mine]) }
                if state.isRunning { return nil }
                state.started += 1
                return .lead(round: state.started)
            }
            switch step {
            case .done(let failure):
                if let failure { throw failure }
                return
            case .lead(let round):
                let failure = sync()
                monitor.change { state in
                    state.finished = round
                    state.failures[round] = failure
                }
            }
        }
    }
}
