import AriaRPC
import Dashboard
import RPCListener
import SessionSupport
import TransferService

/// Makes notifications of a service's events; it subscribes only while a WebSocket is open.
final class ServiceNews: RPCNews {
    private struct State {
        var subscription: (any Subscription)?
        var notices = AriaNotices()
    }

    private let service: any TransferService
    private let server: AriaServer
    private let state = Locked(State())

    init(_ service: any TransferService, _ server: AriaServer) {
        (self.service, self.server) = (service, server)
    }

    func begin(wake: @escaping @Sendable () -> Void) {
        let subscription = service.subscribe(Interest(), wake: wake)
        state.withLock { $0 = State(subscription: subscription) }
    }

    func end() {
        let subscription = state.withLock { state in
            defer { state = State() }
            return state.subscription
        }
        subscription?.cancel()
    }

    func take() -> [(notice: AriaNotice, gid: String)] {
        guard let update = state.withLock(\.subscription)?.take() else { return [] }
        let moments = update.notices.compactMap { notice -> (AriaMoment, UInt64)? in
            guard case .event(let event) = notice, !event.isEarlier else { return nil }
            return event.what.moment.map { ($0, event.id) }
        }
        let notices = state.withLock { state in
            moments.compactMap { moment, id in state.notices.notice(of: moment, id).map { ($0, id) } }
        }
        return notices.map { ($0, server.gid(of: $1)) }
    }
}

extension TransferEvent.What {
    /// The moment that a notification may tell; nil for any other event.
    fileprivate var moment: AriaMoment? {
        switch self {
        case .added(let job): job.isRepeated ? nil : .added
        case .started: .started
        case .paused: .paused
        case .resumed: .resumed
        case .completed: .completed
        case .failed: .failed
        case .cancelled: .cancelled
        case .response, .progress, .retrying, .restarted, .mirrorDropped, .mirrorSwitched, .notice: nil
        }
    }
}
