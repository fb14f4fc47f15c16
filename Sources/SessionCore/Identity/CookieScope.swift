import CCurl
import SessionSupport

/// The hosts that get a cookie back, limited by the list of public suffixes.
///
/// The list is libpsl's: without it `Domain=co.uk` would pass for a company's domain.
enum CookieScope: Sendable, Equatable {
    /// Only the host that set it.
    case host
    /// Every host of a domain, which is in lower case without a leading dot.
    case domain(String)

    /// Loads the list once, so that no response has to wait for its file.
    static func prepare() { _ = cc_load_public_suffixes() }

    /// The scope of a cookie that a host sets with a domain (RFC 6265, 5.2.3 and 5.3); nil if the host may not set it.
    ///
    /// - Parameters:
    ///   - domain: the attribute's value, or "" without one.
    ///   - host: the host of a ``ParsedURL``.
    init?(domain: String, setBy host: String) {
        let name = ByteText.lowercased(domain.hasPrefix(".") ? domain.dropFirst() : domain[...])
        guard !name.isEmpty else {
            self = .host
            return
        }
        // libpsl would skip further dots.
        guard !name.hasPrefix("."), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        switch cc_scope_of_cookie(host, name) {
        case CC_COOKIE_OF_HOST: self = .host
        case CC_COOKIE_OF_DOMAIN: self = .domain(name)
        default: return nil
        }
    }
}
