import Dashboard
import ServiceWire
import SessionSupport
import TransferService

/// Publishes the first rows of the table's query, and the counts of all rows, of a service that has more rows than a
/// window loads: at once when the query changes, and once a second.
///
/// Safe from any thread.
final class SelectionFeed: Sendable {
    private struct State {
        var selection = RowRequest(limit: 500)
        /// Whether the rows are to be asked for at once.
        var isDue = true
        var isEnded = false
        /// The rows in the table.
        var ids: Set<UInt64> = []
        /// The rows of the table that an update has had since the latest question.
        var updated: Set<UInt64> = []
        /// Why the latest question had no answer, as it was told once.
        var failure: SafeText?
        /// The counts of the latest answer.
        var totals = RowTotals()
    }

    /// Milliseconds between two questions about the same selection.
    private static let interval: Int64 = 1_000

    private let service: any TransferService
    private let post: @Sendable (Message) -> Void
    private let state = Monitor(State())

    init(_ service: any TransferService, post: @escaping @Sendable (Message) -> Void) {
        (self.service, self.post) = (service, post)
    }

    func start() throws(SystemThread.Refusal) {
        try SystemThread.detach(name: "selection") { [self] in run() }
    }

    func end() { state.change { $0.isEnded = true } }

    /// Asks for other rows from now on; rows that merely stay are asked for with the next question.
    func select(_ selection: RowRequest) {
        state.change { state in
            var known = state.selection
            known.kept = selection.kept
            if known != selection { state.isDue = true }
            state.selection = selection
        }
    }

    /// Whether the table has a row, which an update then has newer than a question that has no answer yet.
    func takes(_ id: UInt64) -> Bool {
        state.withLock { state in
            guard state.ids.contains(id) else { return false }
            state.updated.insert(id)
            return true
        }
    }

    private func run() {
        while true {
            _ = state.wait(timeoutMilliseconds: Self.interval) { $0.isDue || $0.isEnded }
            let selection = state.change { state -> RowRequest? in
                (state.isDue, state.updated) = (false, [])
                return state.isEnded ? nil : state.selection
            }
            guard let selection else { return }
            publish(selection)
        }
    }

    private func publish(_ selection: RowRequest) {
        switch service.matches(selection) {
        case .success(let matches):
            let ids = matches.rows.map(\.id)
            let (ended, updated) = state.withLock { state in
                defer { (state.ids, state.failure, state.totals) = (Set(ids), nil, matches.totals) }
                return (state.failure, state.updated)
            }
            if let ended { post(.withdrawn(ended)) }
            post(.totals(matches.totals))
            post(.rows(matches.rows.filter { !updated.contains($0.id) }))
            post(.remaining(ids))
        case .failure(let failure):
            // The loss of the service itself is told by its connection.
            let (isNew, totals) = state.withLock { state in
                defer { state.failure = state.failure ?? SafeText(untrusted: failure.message) }
                return (state.failure == nil, state.totals.atRest)
            }
            if isNew { post(.totals(totals)) }
            guard isNew, failure.kind != RemoteService.lostKind else { return }
            post(.toast(SafeText(untrusted: failure.message), isError: true))
        }
    }
}
