import SessionSupport

/// Where the interface listens.
package enum RPCAddress: Sendable, Equatable {
    /// An address of this machine in digits, and a port; 0 is any free one.
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    /// aria2's own port.
    package static let usualPort: UInt16 = 6800
    package static let usual = RPCAddress.tcp(host: "127.0.0.1", port: usualPort)
    private static let unixMark = "unix:"

    /// `6800`, `127.0.0.1`, `0.0.0.0:6800`, `[::]:6800`, `localhost:6800` or `unix:PATH`; nil for another text.
    package init?(_ text: String) {
        if text.hasPrefix(Self.unixMark) {
            let path = String(text.dropFirst(Self.unixMark.count))
            // The kernel's names of sockets are no longer.
            guard !path.isEmpty, path.utf8.count < 108, !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
            return
        }
        guard let (host, port) = Self.parts(of: text) else { return nil }
        self = .tcp(host: host, port: port)
    }

    /// Whether only this machine can connect, and its other users only by a file that they may open.
    package var isLocal: Bool {
        switch self {
        case .tcp(let host, _): host == "::1" || host.hasPrefix("127.")
        case .unix: true
        }
    }

    /// As a client writes it.
    package var text: String {
        switch self {
        case .tcp(let host, let port): (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
        case .unix(let path): Self.unixMark + path
        }
    }

    private static func parts(of text: String) -> (host: String, port: UInt16)? {
        if text.utf8.allSatisfy(ByteText.isDigit) { return port(text[...]).map { ("127.0.0.1", $0) } }
        var host = text[...]
        var number = usualPort
        let isBracketed = text.hasPrefix("[")
        if let colon = text.lastIndex(of: ":"), !isBracketed || text[..<colon].hasSuffix("]") {
            guard let port = port(text[text.index(after: colon)...]) else { return nil }
            (host, number) = (text[..<colon], port)
        }
        if isBracketed {
            guard host.hasSuffix("]"), host.contains(":") else { return nil }
            return (String(host.dropFirst().dropLast()), number)
        }
        switch host {
        case "", "localhost": return ("127.0.0.1", number)
        case "*": return ("0.0.0.0", number)
        default:
            guard !host.contains(":"), host.utf8.allSatisfy({ ByteText.isDigit($0) || $0 == 0x2E }) else { return nil }
            return (String(host), number)
        }
    }

    private static func port(_ text: Substring) -> UInt16? { text.isEmpty ? nil : UInt16(text) }
}
