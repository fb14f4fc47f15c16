public import Foundation
import SessionSupport

/// An observer of the network, which knows whether it can be reached.
///
/// A session manager only holds one: it never starts it and never asks it before a request, because the only way to
/// learn whether a request succeeds is to make it. Use it to explain a failure or to know when to try again. It may be
/// used from any thread. A class because it is shared and watches a socket of its own.
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
        /// The status that was announced last.
        var announced = ReachabilityStatus.unknown
        /// The last status that the queue has been given to announce.
        var announcing = ReachabilityStatus.unknown
        /// Distinguishes one watch from the next; what an ended one still finds is dropped.
        var watchNumber = 0
        /// Counts the stops; what was not announced by then is dropped.
        var stopCount = 0
        var isMonitoring = false
        var onChange: (@Sendable (ReachabilityStatus) -> Void)?
        var observers: [Int: AsyncStream<ReachabilityStatus>.Continuation] = [:]
        var lastObserver = 0
    }

    /// The process's own, for the way to the internet.
    public static let shared = ReachabilityManager()

    /// Where changes are announced, in the order they happened.
    package let queue: DispatchQueue
    private let source: any ReachabilitySource
    private let state = Locked(State())
    private let looking = Locked(())

    /// A manager of its own, not monitoring.
    ///
    /// Changes are announced on `queue`, which should be serial; on one of the manager's own unless given.
    public convenience init(queue: DispatchQueue? = nil) { self.init(source: SystemReachabilitySource(), queue: queue) }

    /// A manager that learns of the network from another source.
    package init(source: any ReachabilitySource, queue: DispatchQueue? = nil) {
        self.source = source
        self.queue = queue ?? DispatchQueue(label: "SessionCore.reachability")
    }

    deinit {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.finish() }
    }

    // MARK: - Status

    /// What was found last; unknown until monitoring has started or ``checkStatus()`` was called, and until a host that is
    /// watched by its name was looked up.
    public var status: ReachabilityStatus { state.withLock { $0.status } }
    /// What leads to the network, as of ``status``.
    package var link: NetworkLink { state.withLock { $0.link } }
    /// Whether the network can be reached by any link; false while unknown.
    public var isReachable: Bool { isReachableViaWWAN || isReachableViaWiFi }
    /// Whether the network is reached over a mobile network.
    public var isReachableViaWWAN: Bool { status == .reachableViaWWAN }
    /// Whether the network is reached over anything else.
    public var isReachableViaWiFi: Bool { status == .reachableViaWiFi }
    /// Whether changes are being watched for.
    public var isMonitoring: Bool { state.withLock { $0.isMonitoring } }

    /// The closure that hears of every change from here on, the first finding included, on the manager's queue.
    public var onStatusChange: (@Sendable (ReachabilityStatus) -> Void)? {
        get { state.withLock { $0.onChange } }
        set { state.withLock { $0.onChange = newValue } }
    }

    /// Looks now, without waiting for the network; a change is announced.
    @discardableResult
    public func checkStatus() -> ReachabilityStatus {
        look(watchNumber: nil)
        return status
    }

    /// The status now and after every change, until the manager is gone.
    public var statuses: AsyncStream<ReachabilityStatus> {
        AsyncStream { continuation in
            let number = state.withLock { state in
                state.lastObserver += 1
                state.observers[state.lastObserver] = continuation
                // Under the lock, so that no change comes before it; nobody can be waiting for the stream yet.
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

    /// Begins to watch, again if it did already; the status is known when this returns, and announced unless it was.
    ///
    /// That of a host that is watched by its name is known when its addresses are.
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

    /// Ends watching; nothing that happens afterwards is announced, and the status keeps its last value.
    ///
    /// A closure that is running on the manager's queue may still be when this returns.
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

    /// Looks, and announces what changed; a look of a watch that has ended is dropped.
    ///
    /// One look at a time, so that an older finding never replaces a newer one.
    private func look(watchNumber: Int?) {
        looking.withLock { _ in
            let link = source.currentLink()
            state.withLock { state in
                guard watchNumber == nil || state.watchNumber == watchNumber else { return }
                state.link = link
                // Under the lock, so that changes are told in their order; neither runs anybody's code.
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
    /// The status in words.
    public var description: String { "<ReachabilityManager: \(status)>" }
}

/// The answer to whether the network can be reached, with the original's numbers.
///
/// ```swift
/// let status = ReachabilityManager.shared.checkStatus()
/// print(status == .notReachable ? "offline" : "online")
/// ```
public enum ReachabilityStatus: Int, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// The network has not been looked at yet.
    case unknown = -1
    /// The host cannot be reached: no route leads there.
    case notReachable = 0
    /// Over a mobile network.
    case reachableViaWWAN = 1
    /// Over anything else: wired, wireless, a tunnel, this machine itself.
    case reachableViaWiFi = 2

    /// The original's words.
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
    /// The status changed; object: the manager; the number is under ``ReachabilityNotification/statusKey``.
    ///
    /// Posted on the manager's queue, after its closure has returned.
    public static let reachabilityDidChange = Notification.Name("com.alamofire.networking.reachability.change")
}

/// The userInfo key of the reachability notification, with the original's string.
///
/// ```swift
/// let observer = NotificationCenter.default.addObserver(
///     forName: .reachabilityDidChange, object: nil, queue: nil
/// ) { notification in
///     print(notification.userInfo?[ReachabilityNotification.statusKey] ?? "unknown")
/// }
/// ```
public enum ReachabilityNotification {
    /// The new status's raw value.
    public static let statusKey = "AFNetworkingReachabilityNotificationStatusItem"
}
