import SessionSupport

/// The names and passwords of servers that a redirect may lead to, such as the ones of a `.netrc` file.
///
/// Unlike ``RequestOptions/credentials`` they belong to hosts, not to a request: each server gets its own alone.
package struct HostCredentials: Sendable, Hashable {
    /// What one host is shown.
    package struct Login: Sendable, Hashable {
        let user: String
        let password: String

        package init(user: String, password: String) { (self.user, self.password) = (user, password) }
    }

    private let logins: [String: Login]
    private let scheme: RequestCredentials.Scheme
    /// Whether only servers with https are shown any, as the first one had it.
    private let needsEncryption: Bool

    /// - Parameters:
    ///   - logins: by the hosts' names in lower case, IPv6 addresses without brackets.
    ///   - url: the URL of the first request: what goes over https does not go on over http.
    package init(_ logins: [String: Login], scheme: RequestCredentials.Scheme, first url: String) {
        (self.logins, self.scheme, needsEncryption) = (logins, scheme, URLScan(url).isEncrypted)
    }

    /// The credentials for the server of a URL; nil for none.
    package func credentials(for url: String) -> RequestCredentials? {
        let scan = URLScan(url)
        guard scan.isEncrypted || !needsEncryption, let host = scan.host.map({ url[$0] }),
            let login = logins[Self.name(of: host)]
        else { return nil }
        return RequestCredentials(user: login.user, password: login.password, scheme: scheme)
    }

    /// The name by which a URL's host is found: as with curl, an IPv6 address without its brackets and its zone.
    package static func name(of host: some StringProtocol) -> String {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let plain = isBracketed ? host.dropFirst().dropLast().prefix { $0 != "%" } : host[...]
        return ByteText.lowercased(plain)
    }
}

extension HostCredentials: CustomStringConvertible, CustomReflectable {
    /// The scheme alone, as of ``RequestCredentials``: neither names nor passwords belong on a screen.
    package var description: String { RequestLabels.credentials(scheme.rawValue) }

    /// Nothing beside the description.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
