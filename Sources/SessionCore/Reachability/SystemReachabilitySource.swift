import CLinux
import Glibc
import SessionSupport

/// A source of the network's state for a reachability manager.
package protocol ReachabilitySource: Sendable {
    /// Returns the current link to the network. Must not wait for a network response: until one arrives the link is
    /// ``NetworkLink/unknown``, and a watch reports it later.
    func currentLink() -> NetworkLink
    /// Starts callbacks, from any thread, whenever ``currentLink()`` may have changed; a superfluous call is harmless.
    /// Releasing the returned object ends the watch. Nil when the system reports no changes.
    func watch(_ mayHaveChanged: @escaping @Sendable () -> Void) -> (any Sendable)?
}

/// The system's routing table, and rtnetlink's messages about changes.
///
/// Sends nothing to the network.
package struct SystemReachabilitySource: ReachabilitySource {
    /// An IPv4 and an IPv6 address; any would do, because only the route to them is looked up.
    private static let anywhere = ["192.0.2.1", "2001:db8::1"]

    private let addresses: [String]

    /// Checks for a route to the internet: a default route.
    package init() { addresses = Self.anywhere }

    /// Checks for a route to one numeric address.
    ///
    /// Throws ``SessionError/Code/unknownHost`` for any other text.
    package init(address: String) throws(SessionError) {
        var link = CL_LINK_NONE
        guard cl_network_route(address, &link) else {
            throw SessionError(.unknownHost, TaskErrors.notAnAddress(address))
        }
        addresses = [address]
    }

    /// The link of the best route.
    package func currentLink() -> NetworkLink { Self.link(toFirstOf: addresses) }

    /// Returns the link of the route to the first reachable address.
    static func link(toFirstOf addresses: [String]) -> NetworkLink {
        for address in addresses {
            var link = CL_LINK_NONE
            guard cl_network_route(address, &link), let known = NetworkLink(link), known != .none else { continue }
            return known
        }
        return .none
    }

    /// Starts a thread that waits for the kernel's messages.
    package func watch(_ mayHaveChanged: @escaping @Sendable () -> Void) -> (any Sendable)? {
        NetworkWatch(mayHaveChanged)
    }
}

extension NetworkLink {
    fileprivate init?(_ link: cl_link) {
        switch link {
        case CL_LINK_NONE: self = .none
        case CL_LINK_LOOPBACK: self = .loopback
        case CL_LINK_WIRED: self = .wired
        case CL_LINK_WIRELESS: self = .wireless
        case CL_LINK_CELLULAR: self = .cellular
        case CL_LINK_OTHER: self = .other
        default: return nil
        }
    }
}

/// A thread that waits for rtnetlink's messages until this object is released.
///
/// A class because its `deinit` stops the thread.
private final class NetworkWatch: Sendable {
    private let stop: Int32

    /// Starts the watch; nil when the system refuses a descriptor or a thread.
    init?(_ mayHaveChanged: @escaping @Sendable () -> Void) {
        let messages = cl_network_watch()
        guard messages >= 0 else { return nil }
        let stop = cl_eventfd()
        guard stop >= 0 else {
            close(messages)
            return nil
        }
        let ending = dup(stop)
        self.stop = stop
        let started: Void? =
            ending < 0
            ? nil
            : try? SystemThread.detach(name: "session-network") {
                Self.run(messages: messages, stop: ending, mayHaveChanged)
            }
        guard started != nil else {
            // The object exists at this point, so its `deinit` closes `stop`.
            close(messages)
            if ending >= 0 { close(ending) }
            return nil
        }
    }

    deinit {
        // The thread has a duplicate descriptor of the same counter.
        _ = cl_eventfd_signal(stop)
        close(stop)
    }

    private static func run(messages: Int32, stop: Int32, _ mayHaveChanged: @Sendable () -> Void) {
        defer {
            close(messages)
            close(stop)
        }
        while true {
            var descriptors = [
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
                pollfd(fd: messages, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&descriptors, 2, -1) < 0, errno != EINTR { return }
            if descriptors[0].revents != 0 { return }
            guard descriptors[1].revents != 0 else { continue }
            switch cl_network_drain(messages) {
            case 0: continue
            case 1: mayHaveChanged()
            default: return
            }
        }
    }
}

/// The kind of link that leads to the network.
package enum NetworkLink: String, Sendable, Codable, CaseIterable {
    /// Not known yet.
    case unknown
    case none
    /// The loopback interface of this machine.
    case loopback
    /// A cable.
    case wired
    /// A wireless network.
    case wireless
    /// A mobile network.
    case cellular
    /// A tunnel, a bridge, or an unknown kind.
    case other

    /// The status of a link; every link but a mobile network counts as WiFi, as in the original.
    package var status: ReachabilityStatus {
        switch self {
        case .unknown: .unknown
        case .none: .notReachable
        case .cellular: .reachableViaWWAN
        case .loopback, .wired, .wireless, .other: .reachableViaWiFi
        }
    }
}
