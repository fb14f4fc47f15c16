import SessionSupport

@testable import SessionCore

/// A network that changes when a test says so; a class because manager and test share it.
final class ScriptedReachability: ReachabilitySource {
    private struct State: Sendable {
        var link: NetworkLink
        var watchers: [Int: @Sendable () -> Void] = [:]
        var lastWatcher = 0
        var layout = 0
    }

    /// Ends one watch when it is let go.
    private final class Watch: Sendable {
        let end: @Sendable () -> Void
        init(end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    private let state: Monitor<State>

    init(_ link: NetworkLink) { state = Monitor(State(link: link)) }

    var watcherCount: Int { state.withLock { $0.watchers.count } }
    var lookCount: Int { state.withLock { $0.layout } }

    func currentLink() -> NetworkLink {
        state.withLock { state in
            state.layout += 1
            return state.link
        }
    }

    func watch(_ mayHaveChanged: @escaping @Sendable () -> Void) -> (any Sendable)? {
        let number = state.change { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = mayHaveChanged
            return state.lastWatcher
        }
        return Watch { [state] in
            let ended = state.withLock { $0.watchers.removeValue(forKey: number) }
            withExtendedLifetime(ended) {}
        }
    }

    /// Waits until somebody watches; false after twenty seconds.
    func waitForWatcher() -> Bool { state.wait(timeoutMilliseconds: 20_000) { !$0.watchers.isEmpty } }

    /// Changes the network and tells whoever watches.
    func change(to link: NetworkLink) {
        let watchers = state.withLock { state in
            state.link = link
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher() }
    }
}
