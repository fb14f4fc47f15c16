import Dashboard
import Support

/// Jobs on their way to the session: whoever takes them is the only one who keeps them.
///
/// A long list would otherwise stay in memory for as long as the dashboard is open.
final class JobList: Sendable {
    private struct State: Sendable {
        var jobs: ArraySlice<Job>
        var lists: [InputList]
    }

    private let state: Locked<State>

    /// Jobs, and then those of input lists.
    init(_ jobs: [Job], _ lists: [InputList] = []) {
        state = Locked(State(jobs: jobs[...], lists: lists))
    }

    /// The next jobs, so many at most, which are gone from here afterwards; none when there are no more.
    func next(_ limit: Int) -> [Job] {
        state.withLock { state in
            var result = Array(state.jobs.prefix(limit))
            state.jobs.removeFirst(result.count)
            if state.jobs.isEmpty { state.jobs = [] }
            while result.count < limit, !state.lists.isEmpty {
                let found = state.lists[0].next(limit - result.count)
                if found.isEmpty { state.lists.removeFirst() }
                if result.isEmpty { result = found } else { result += found }
            }
            return result
        }
    }

    /// Whether no job is left.
    var isEmpty: Bool {
        state.withLock { state in
            while state.jobs.isEmpty, !state.lists.isEmpty {
                state.jobs = state.lists[0].next(1)[...]
                if state.jobs.isEmpty { state.lists.removeFirst() }
            }
            return state.jobs.isEmpty
        }
    }
}
