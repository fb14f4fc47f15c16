/// Whether the network can be reached, with the original's numbers.
public enum ReachabilityStatus: Int, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// Not looked yet.
    case unknown = -1
    /// No route leads there.
    case notReachable = 0
    /// Over a mobile network.
    case reachableViaWWAN = 1
    /// Over anything else: wired, wireless, a tunnel, this machine itself; ``ReachabilityManager/link`` tells which.
    case reachableViaWiFi = 2

    /// The original's words.
    public var description: String {
        switch self {
        case .unknown: "Unknown"
        case .notReachable: "Not Reachable"
        case .reachableViaWWAN: "Reachable via WWAN"
        case .reachableViaWiFi: "Reachable via WiFi"
        }
    }
}
