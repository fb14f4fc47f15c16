import SessionSupport

/// The first line and the fields of a request.
struct RequestHead: Sendable, Equatable {
    var method: String
    var target: String
    /// The 0 or 1 of HTTP/1.0 or HTTP/1.1.
    var minorVersion: Int
    var headers: HeaderList

    /// The path of the target, without query, also when the target has a scheme and a host.
    var path: String {
        let bytes = Array(target.utf8)
        var start = 0
        if let scheme = Self.schemes.first(where: { bytes.starts(with: $0) }) {
            start =
                bytes[scheme.count...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? bytes.count
        }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        return start == end && start > 0 ? "/" : String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// The text after the first question mark.
    var query: String? {
        let bytes = Array(target.utf8)
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return String(decoding: bytes[(mark + 1)...], as: UTF8.self)
    }

    /// Whether the client accepts further responses on the connection; never for HTTP/1.0 here.
    var keepsConnection: Bool {
        minorVersion >= 1 && !ASCII.list(headers["Connection"] ?? "").contains { ByteText.isSame($0, "close") }
    }

    private static let schemes = ["http://", "https://"].map { Array($0.utf8) }
}
