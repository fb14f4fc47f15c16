public import Foundation
import SessionSupport

/// An observer of the network that reports whether it is reachable.
///
/// A session manager owns one, but never starts it and never asks it before a request: only making a request shows
/// whether it succeeds. Use it to explain a failure or to choose the time of a retry. It may be used from any thread. A
/// class because it is shared and watches its own socket.
///
/// ```swift
/// ReachabilityManager.shared.startMonitoring()
/// for await status in ReachabilityManager.shared.statuses { print(status) }
/// ```
public final class ReachabilityManager: Sendable {
    private struct State: Sendable {
        var status = ReachabilityStatus.unknown
        var link = NetworkLink.none
        var watch: (any Sendable)?
        var announced = ReachabilityStatus.unknown
        /// The latest status queued for an announcement.
        var announcing = ReachabilityStatus.unknown
        /// Tells one watch from the next; late findings of an ended watch are dropped.
        var watchNumber = 0
        /// Counts the stops; announcements still queued at a stop are dropped.
        var stopCount = 0
        var isMonitoring = false
        var onChange: (@Sendable (ReachabilityStatus) -> Void)?
        var observers: [Int: AsyncStream<ReachabilityStatus>.Continuation] = [:]
        var lastObserver = 0
    }

    /// The process's shared manager, for the route to the internet.
    public static let shared = ReachabilityManager()

    /// The queue on which changes are announced, in the order they happened.
    package let queue: DispatchQueue
    private let source: any ReachabilitySource
    private let state = Locked(State())
    private let looking = Locked(())

    /// A new manager, not monitoring.
    ///
    /// Changes are announced on `queue`, which should be serial; without one the manager makes its own.
    public convenience init(queue: DispatchQueue? = nil) { self.init(source: SystemReachabilitySource(), queue: queue) }

    package init(source: any ReachabilitySource, queue: DispatchQueue? = nil) {
        self.source = source
        self.queue = queue ?? DispatchQueue(label: "SessionCore.reachability")
    }

    deinit {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() }
    }

    // MARK: - Status

    /// The latest status; unknown until monitoring has started or ``checkStatus()`` was called, and until a host's name
    /// has resolved.
    public var status: ReachabilityStatus { state.withLock { $0.status } }
    /// The link to the network, as of ``status``.
    package var link: NetworkLink { state.withLock { $0.link } }
    /// Whether the network is reachable by any link; false while unknown.
    public var isReachable: Bool { isReachableViaWWAN || isReachableViaWiFi }
    /// Whether the network is reached over a mobile network.
    public var isReachableViaWWAN: Bool { status == .reachableViaWWAN }
    /// Whether the network is reached over any other link.
    public var isReachableViaWiFi: Bool { status == .reachableViaWiFi }
    /// Whether changes are watched.
    var isMonitoring: Bool { state.withLock { $0.isMonitoring } }

    /// The closure called on the manager's queue for every later change, including the first result.
    public var onStatusChange: (@Sendable (ReachabilityStatus) -> Void)? {
        get { state.withLock { $0.onChange } }
        set { state.replace(\.onChange, with: newValue) }
    }

    /// Reads the status now, without waiting for the network; a change is announced.
    @discardableResult
    public func checkStatus() -> ReachabilityStatus {
        look(watchNumber: nil)
        return status
    }

    /// The current status and every later change, until the manager is deallocated.
    public var statuses: AsyncStream<ReachabilityStatus> {
        AsyncStream { continuation in
            let number = state.withLock { state in
                state.lastObserver += 1
                state.observers[state.lastObserver] = continuation
                // Yields under the lock, so that no change comes before it; the stream has no reader yet.
                continuation.yield(state.status)
                return state.lastObserver
            }
            continuation.onTermination = { [weak self] _ in
                let removed = self?.state.withLock { $0.observers.removeValue(forKey: number) }
                withExtendedLifetime(removed) {}
            }
        }
    }

    // MARK: - Monitoring

    /// Starts monitoring, again if it runs already; the status is known when this returns, and announced if it is new.
    ///
    /// A host's status is unknown until its name resolves.
    public func startMonitoring() {
        let number = state.withLock { state in
            state.watchNumber += 1
            state.isMonitoring = true
            return state.watchNumber
        }
        let watch = source.watch { [weak self] in self?.look(watchNumber: number) }
        let replaced = state.withLock { state -> (any Sendable)? in
            guard state.watchNumber == number else { return watch }
            defer { state.watch = watch }
            return state.watch
        }
        withExtendedLifetime(replaced) {}
        look(watchNumber: number)
    }

    /// Stops monitoring; later changes are not announced, and the status keeps its last value.
    ///
    /// A closure that runs on the manager's queue may still run when this returns.
    public func stopMonitoring() {
        let ended = state.withLock { state -> (any Sendable)? in
            state.watchNumber += 1
            state.stopCount += 1
            state.announcing = state.announced
            state.isMonitoring = false
            defer { state.watch = nil }
            return state.watch
        }
        withExtendedLifetime(ended) {}
    }

    /// Reads the link and announces a change; the result for an ended watch is dropped.
    ///
    /// Only one read runs at a time, so that an older result never replaces a newer one.
    private func look(watchNumber: Int?) {
        looking.withLock { _ in
            let link = source.currentLink()
            state.withLock { state in
                guard watchNumber == nil || state.watchNumber == watchNumber else { return }
                state.link = link
                // Both calls are under the lock, so that changes are told in order; neither runs foreign code.
                if state.status != link.status {
                    state.status = link.status
                    for observer in state.observers.values { observer.yield(link.status) }
                }
                guard state.announcing != link.status else { return }
                state.announcing = link.status
                enqueue(link.status, stopCount: state.stopCount)
            }
        }
    }

    private func enqueue(_ status: ReachabilityStatus, stopCount: Int) {
        queue.async { [weak self] in self?.announce(status, stopCount: stopCount) }
    }

    private func announce(_ status: ReachabilityStatus, stopCount: Int) {
        let (isCurrent, onChange) = state.withLock { state in
            let isCurrent = state.stopCount == stopCount
            if isCurrent { state.announced = status }
            return (isCurrent, state.onChange)
        }
        guard isCurrent else { return }
        onChange?(status)
        NotificationCenter.default.post(
            name: .reachabilityDidChange, object: self,
            userInfo: [ReachabilityNotification.statusKey: status.rawValue])
    }
}

extension ReachabilityManager: CustomStringConvertible {
    /// The manager with its status in words.
    public var description: String { "<ReachabilityManager: \(status)>" }
}

/// The reachability of the network, with AFNetworking's numbers.
///
/// ```swift
/// let status = ReachabilityManager.shared.checkStatus()
/// print(status == .notReachable ? "offline" : "online")
/// ```
public enum ReachabilityStatus: Int, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// The network has not been checked yet.
    case unknown = -1
    /// No route leads to the host.
    case notReachable = 0
    /// A mobile network leads to the host.
    case reachableViaWWAN = 1
    /// Any other link leads to the host: wired, wireless, a tunnel, this machine itself.
    case reachableViaWiFi = 2

    /// The status in AFNetworking's words.
    public var description: String {
        switch self {
        case .unknown: ReachabilityLabels.unknown
        case .notReachable: ReachabilityLabels.none
        case .reachableViaWWAN: ReachabilityLabels.mobile
        case .reachableViaWiFi: ReachabilityLabels.wireless
        }
    }
}

extension Notification.Name {
    /// The notification of a changed status: its object is the manager, and the number is under
    /// ``ReachabilityNotification/statusKey``.
    ///
    /// Posted on the manager's queue, after its closure has returned.
    public static let reachabilityDidChange = Notification.Name("com.alamofire.networking.reachability.change")
}

/// The userInfo key of the reachability notification, with AFNetworking's string.
///
/// ```swift
/// let observer = NotificationCenter.default.addObserver(
///     forName: .reachabilityDidChange, object: nil, queue: nil
/// ) { notification in
///     print(notification.userInfo?[ReachabilityNotification.statusKey] ?? "unknown")
/// }
/// ```
public enum ReachabilityNotification {
    /// The key of the new status's raw value.
    public static let statusKey = "AFNetworkingReachabilityNotificationStatusItem"
}
