/// What kind of link leads to the network.
public enum NetworkLink: String, Sendable, Codable, CaseIterable {
    /// None.
    case none
    /// This machine itself.
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
    public var status: ReachabilityStatus {
        switch self {
        case .none: .notReachable
        case .cellular: .reachableViaWWAN
        case .loopback, .wired, .wireless, .other: .reachableViaWiFi
        }
    }
}
