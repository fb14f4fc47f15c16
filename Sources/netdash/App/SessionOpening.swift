import Dashboard
import Foundation
import Support

/// A dashboard's bridge while its saved session is still being read, which the first frame does not wait for.
///
/// Safe from any thread.
final class SessionOpening: Sendable {
    private struct State: Sendable {
        var bridge: SessionBridge?
        var refusal: SessionRefusal?
    }

    private let state: Locked<State>
    private let queue = DispatchQueue(label: "netdash.session")
    private let isOpen = DispatchGroup()

    /// An opening that is over.
    init(_ bridge: SessionBridge) {
        state = Locked(State(bridge: bridge))
    }

    /// Opens what was chosen, on a thread of its own.
    ///
    /// A session that was named and cannot be used ends the dashboard; without the default one nothing is saved, and a
    /// notice says so.
    init(_ choice: SessionChoice, settings: Settings, publisher: RowPublisher) {
        state = Locked(State())
        isOpen.enter()
        queue.async { [self] in
            open(choice, settings: settings, publisher: publisher)
            isOpen.leave()
        }
    }

    /// The bridge; nil until the rows of the session are there, and when it was refused.
    var bridge: SessionBridge? { state.withLock { $0.bridge } }

    /// Why the session that was named cannot be used.
    var refusal: SessionRefusal? { state.withLock { $0.refusal } }

    /// Waits until the session is open or refused; false when that takes longer.
    func wait(milliseconds: Int) -> Bool { isOpen.wait(timeout: .now() + .milliseconds(milliseconds)) == .success }

    /// Does something with the bridge, in order, as soon as it is there; nothing when it was refused.
    func whenReady(_ body: @escaping @Sendable (SessionBridge) -> Void) {
        queue.async { [self] in
            if let bridge { body(bridge) }
        }
    }

    // MARK: - Opening

    private func open(_ choice: SessionChoice, settings: Settings, publisher: RowPublisher) {
        let bridge = SessionBridge(
            settings: settings, printsBodies: false, observer: publisher, session: choice.nameForDashboard,
            found: { publisher.post(.rows($0)) })
        guard let refusal = bridge.refusal else {
            publisher.attach(bridge)
            bridge.restore()
            if let notice = bridge.notice {
                publisher.post(.toast(SafeText(untrusted: notice), isError: true))
            }
            return state.withLock { $0.bridge = bridge }
        }
        if case .named = choice {
            state.withLock { $0.refusal = refusal }
            return publisher.post(.terminate)
        }
        let reason = refusal.isInUse ? "The saved session is open in another netdash" : refusal.message
        publisher.post(.notSaved)
        publisher.post(.toast(SafeText(untrusted: reason + "; nothing of this run is saved"), isError: true))
        let substitute = SessionBridge(settings: settings, printsBodies: false, observer: publisher)
        publisher.attach(substitute)
        state.withLock { $0.bridge = substitute }
    }
}
