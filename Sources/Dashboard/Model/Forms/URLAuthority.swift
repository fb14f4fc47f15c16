import SessionSupport

/// Checks a URL's authority (RFC 3986, 3.2), for the command line and the forms alike.
package enum URLAuthority {
    /// A fault that makes a connection impossible.
    package enum Problem: Sendable, Equatable {
        case noHost
        /// An IPv6 address begins with [ and has no ].
        case openAddress
        /// Text other than a port follows the ] of an IPv6 address.
        case textBehindAddress
        case hostCharacters(String)
        case port(String)
    }

    /// The fault of a URL's authority, which must follow a scheme; nil for none.
    package static func problem(of url: String) -> Problem? {
        let scan = URLScan(url)
        guard let hostRange = scan.host, url[..<(scan.userInfo ?? hostRange).lowerBound].hasSuffix("://") else {
            return .noHost
        }
        let host = url[hostRange]
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return .openAddress }
            guard host.index(after: end) == host.endIndex else { return .textBehindAddress }
        }
        guard !host.isEmpty, host != "[]" else { return .noHost }
        // An address's zone, which names an interface, follows a percent sign (RFC 6874).
        let name = host.hasPrefix("[") ? host.prefix { $0 != "%" } : host
        guard name.allSatisfy({ !"<>\"{}|\\^`%;=!*'()$&+,".contains($0) }) else { return .hostCharacters(String(host)) }
        guard let port = scan.port.map({ url[$0] }), !port.isEmpty else { return nil }
        return ByteText.port(port) != nil ? nil : .port(String(port))
    }
}

extension URLAuthority.Problem {
    /// The sentence that a form shows below its fields.
    var sentence: SafeText {
        switch self {
        case .noHost: URLErrors.noHost
        case .openAddress: URLErrors.openAddress
        case .textBehindAddress: URLErrors.textBehindAddress
        case .hostCharacters: URLErrors.hostCharacters
        case .port: URLErrors.port
        }
    }
}
