import CCurl
import SessionSupport

/// The hosts that get a cookie back, as the list of public suffixes allows them.
///
/// The list is libpsl's: without it `Domain=co.uk` would look like a company.
enum CookieScope: Sendable, Equatable {
    /// The host that set it, alone.
    case host
    /// Every host of a domain, which is in small letters and has no dot in front.
    case domain(String)

    /// Reads the list, once for all, so that no answer has to wait for its file.
    static func prepare() { _ = cc_load_public_suffixes() }

    /// The scope of a cookie that a host sets with a domain (RFC 6265, 5.2.3 and 5.3); nil where it must not.
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
        // libpsl would pass over further dots.
        guard !name.hasPrefix("."), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        switch cc_scope_of_cookie(host, name) {
        case CC_COOKIE_OF_HOST: self = .host
        case CC_COOKIE_OF_DOMAIN: self = .domain(name)
        default: return nil
        }
    }
}
