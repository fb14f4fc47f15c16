import SessionSupport

/// Decides which web pages may send requests, and under which names of this machine.
///
/// A page that a user visits can send requests to this machine without being asked. Its browser names the page in
/// `Origin`, and the name under which the page found the machine in `Host`.
package struct OriginRule: Sendable {
    /// Whether only this machine can connect: then no other name of it is right.
    private let isLocal: Bool
    /// The origins of pages that are allowed; `*` allows all.
    private let allowed: Set<String>

    package init(isLocal: Bool, allowed: Set<String> = []) {
        (self.isLocal, self.allowed) = (isLocal, allowed)
    }

    private static let everyPage = "*"
    /// The schemes of a browser's extensions, which their user has installed.
    private static let extensions = ["chrome-extension", "moz-extension", "safari-web-extension"]

    /// Whether a Host names this machine: another name may belong to a page's own server, which its owner has pointed
    /// at this machine (DNS rebinding).
    func accepts(host: String?) -> Bool {
        guard isLocal, let host else { return true }
        let name = Self.name(of: host)
        return name == "localhost" || name == "[::1]" || name.hasPrefix("127.") && Self.isAddress(name)
    }

    func accepts(origin: String?, host: String?) -> Bool {
        guard let origin, !allowed.contains(Self.everyPage), !allowed.contains(origin) else { return true }
        guard let mark = origin.range(of: "://") else { return false }
        if Self.extensions.contains(String(origin[..<mark.lowerBound])) { return true }
        // A page of this port itself.
        return host.map { ByteText.isSame(String(origin[mark.upperBound...]), $0) } ?? false
    }

    /// The beginning of every browser's User-Agent.
    private static let browser = "Mozilla/"

    /// Whether a request without an Origin is not of another site's page, as far as its browser says so.
    ///
    /// Some browsers do not say from where they send a GET to this machine: theirs is refused.
    func accepts(fetchSite: String?, agent: String?, isGet: Bool) -> Bool {
        guard !allowed.contains(Self.everyPage) else { return true }
        guard let fetchSite else { return !isGet || agent?.hasPrefix(Self.browser) != true }
        return fetchSite == "none" || fetchSite == "same-origin"
    }

    private static func name(of host: String) -> String {
        let host = ByteText.lowercased(host[...])
        if let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }

    private static func isAddress(_ name: String) -> Bool {
        name.utf8.allSatisfy { ByteText.isDigit($0) || $0 == UInt8(ascii: ".") }
    }
}

extension String {
    /// The first occurrence of a text; Foundation has this too, and the module needs nothing else of it.
    fileprivate func range(of text: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
            formIndex(after: &index)
        }
        return nil
    }
}
