import SessionSupport

/// The origin of a URL: scheme, host and port of the server that responds.
///
/// Credentials never leave the origin they were given for.
package struct Origin: Sendable, Hashable, CustomStringConvertible {
    let scheme: String
    let host: String
    let port: Int

    init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Reads the origin of an absolute URL.
    ///
    /// Throws `invalidURL` or `unsupportedScheme`.
    package init(_ url: String) throws(SessionError) {
        self = try ParsedURL(url).origin
    }

    package var description: String { "\(scheme)://\(host):\(port)" }

    /// Returns the server's name for messages, without the user's name and password even if the URL is invalid.
    static func serverName(of url: String) -> String {
        if let origin = try? Origin(url) { return origin.host }
        guard let host = URLScan(url).host, !host.isEmpty else { return Redaction.url(url) }
        return String(url[host])
    }

    /// A server's name, with its port where that is not the usual one: nothing else tells which one refused.
    static func label(of url: String) -> String {
        guard let origin = try? Origin(url), origin.port != (origin.scheme == "https" ? 443 : 80) else {
            return serverName(of: url)
        }
        return "\(origin.host):\(origin.port)"
    }
}

/// A cache of origins by the beginnings of their URLs: thousands of transfers of a list mostly share one origin, and
/// parsing a URL costs more than a lookup.
///
/// A class because lookups of its owner change it. Belongs to one thread.
final class OriginCache {
    /// An origin and its description.
    ///
    /// A class because each transfer asks for one, and a copy would count every text in it.
    final class Entry {
        let origin: Origin
        let text: String
        /// The beginning shared by this origin's URLs; nil for a URL that must be parsed each time.
        fileprivate let beginning: String?

        fileprivate init(_ origin: Origin, beginning: String?) {
            self.origin = origin
            self.beginning = beginning
            text = origin.description
        }
    }

    private static let capacity = 256

    private var entries: [Substring: Entry] = [:]
    private var latest: Entry?

    /// Returns the origin of a URL; nil for an invalid one.
    func entry(of url: String) -> Entry? {
        if let latest, let beginning = latest.beginning, Self.begins(url, with: beginning) { return latest }
        let beginning = Self.beginning(of: url)
        if let beginning, let known = entries[beginning] {
            latest = known
            return known
        }
        guard let origin = try? Origin(url) else { return nil }
        // Copies the text so that the full URL is not kept.
        let entry = Entry(origin, beginning: beginning.map { String($0) })
        if let beginning = entry.beginning {
            if entries.count >= Self.capacity { entries.removeAll() }
            entries[Substring(beginning)] = entry
        }
        return entry
    }

    /// Returns whether a URL continues with its path after a beginning.
    private static func begins(_ url: String, with beginning: String) -> Bool {
        let bytes = url.utf8Span.span
        let wanted = beginning.utf8Span.span
        guard bytes.count > wanted.count, bytes[wanted.count] == 0x2F else { return false }
        for index in wanted.indices where bytes[index] != wanted[index] { return false }
        return true
    }

    /// Returns scheme and authority of a URL with a path whose authority is a host and perhaps a port; nil for others.
    private static func beginning(of url: String) -> Substring? {
        let scan = URLScan(url)
        guard let scheme = scan.scheme, let host = scan.host, scan.userInfo == nil,
            url[scheme.upperBound..<host.lowerBound] == "://", url[scan.path].utf8.first == UInt8(ascii: "/"),
            url[host.lowerBound..<scan.path.lowerBound].utf8.allSatisfy(isHostOrPort)
        else { return nil }
        return url[..<scan.path.lowerBound]
    }

    private static func isHostOrPort(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5B, 0x5D: true
        default: false
        }
    }
}
