import CLinux
import Glibc
import SessionSupport

/// Where a reachability manager learns what the network is like.
package protocol ReachabilitySource: Sendable {
    /// What leads to the network now. Must not wait for an answer from the network: what needs one is
    /// ``NetworkLink/unknown`` until it is there, and told by a watch.
    func currentLink() -> NetworkLink
    /// Begins to call back, from any thread, whenever ``currentLink()`` may have changed; one call too many does no
    /// harm. The watch ends when what is returned is let go. Nil when the system does not tell.
    func watch(_ mayHaveChanged: @escaping @Sendable () -> Void) -> (any Sendable)?
}

/// The system's own word: which route a connection would take, and rtnetlink's messages about changes.
///
/// Nothing is ever sent to the network.
package struct SystemReachabilitySource: ReachabilitySource {
    /// Addresses of two networks; any will do, because only the route to them is looked up.
    private static let anywhere = ["192.0.2.1", "2001:db8::1"]

    private let addresses: [String]

    /// Asks for a way to the internet: a default route.
    package init() { addresses = Self.anywhere }

    /// Asks for a way to one address, written in digits.
    ///
    /// Throws ``SessionError/Code/unknownHost`` for anything else.
    package init(address: String) throws(SessionError) {
        var link = CL_LINK_NONE
        guard cl_network_route(address, &link) else {
            throw SessionError(.unknownHost, TaskErrors.notAnAddress(address))
        }
        addresses = [address]
    }

    /// What the best route leaves by.
    package func currentLink() -> NetworkLink { Self.link(toFirstOf: addresses) }

    /// What the route to the first of some addresses leaves by that can be reached.
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

/// A thread that waits for rtnetlink's messages until this object is let go.
///
/// A class because its end has to stop the thread.
private final class NetworkWatch: Sendable {
    private let stop: Int32

    /// Nil when the system refuses a descriptor or a thread.
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
            // The object exists by now, so its end closes the descriptor it holds.
            close(messages)
            if ending >= 0 { close(ending) }
            return nil
        }
    }

    deinit {
        // The thread has a descriptor of its own for the same counter.
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

/// What kind of link leads to the network.
package enum NetworkLink: String, Sendable, Codable, CaseIterable {
    /// It is not known yet.
    case unknown
    /// None.
    case none
    /// The interface of this machine to itself.
    case loopback
    /// A cable.
    case wired
    /// A wireless network.
    case wireless
    /// A mobile network.
    case cellular
    /// A tunnel, a bridge, or a kind that is not known.
    case other

    /// The status a link amounts to; whatever is not a mobile network counts as WiFi, as in the original.
    package var status: ReachabilityStatus {
        switch self {
        case .unknown: .unknown
        case .none: .notReachable
        case .cellular: .reachableViaWWAN
        case .loopback, .wired, .wireless, .other: .reachableViaWiFi
        }
    }
}
