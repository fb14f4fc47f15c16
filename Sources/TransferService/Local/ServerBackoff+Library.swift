import SessionCore
import SessionSupport

extension ServerBackoff {
    /// Converts a host in backoff from the library's values to the row's.
    init(_ host: HostBackoff) {
        let cause = host.reason == .noNetwork ? Cause.noNetwork : Cause(rawValue: host.cause.rawValue) ?? .timedOut
        self.init(
            host: Self.name(host.origin), route: Self.route(host.route), unreached: host.unreached.map(Self.name),
            cause: cause, statusCode: host.statusCode, askedAgainAt: host.askedAgainAt)
    }

    /// The row's name for a route; empty for the direct route.
    static func route(_ route: String?) -> SafeText { route.map { SafeText(untrusted: $0) } ?? .empty }

    /// The row's name for an origin: its host, and its port unless it is the scheme's default.
    static func name(_ origin: String) -> SafeText {
        let scan = URLScan(origin)
        guard let host = scan.host else { return SafeText(untrusted: origin) }
        let usual = origin.hasPrefix("https:") ? "443" : "80"
        let end = scan.port.map { origin[$0] == usual ? host.upperBound : $0.upperBound }
        return SafeText(untrusted: String(origin[host.lowerBound..<(end ?? host.upperBound)]))
    }
}
