import CLinux

/// The system's own word: which route a connection would take, and rtnetlink's messages about changes.
///
/// Nothing is ever sent to the network.
public struct SystemReachabilitySource: ReachabilitySource {
    /// Addresses of two networks; any will do, because only the route to them is looked up.
    private static let anywhere = ["192.0.2.1", "2001:db8::1"]

    private let addresses: [String]

    /// Asks for a way to the internet: a default route.
    public init() { addresses = Self.anywhere }

    /// Asks for a way to one address, written in digits.
    ///
    /// Throws ``SessionError/Code/unknownHost`` for anything else.
    public init(address: String) throws(SessionError) {
        var link = CL_LINK_NONE
        guard cl_network_route(address, &link) else {
            throw SessionError(.unknownHost, "\(address) is not a numeric address")
        }
        addresses = [address]
    }

    /// What the best route leaves by.
    public func currentLink() -> NetworkLink {
        for address in addresses {
            var link = CL_LINK_NONE
            guard cl_network_route(address, &link), let known = NetworkLink(link), known != .none else { continue }
            return known
        }
        return .none
    }

    /// Starts a thread that waits for the kernel's messages.
    public func watch(_ mayHaveChanged: @escaping @Sendable () -> Void) -> (any Sendable)? {
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
