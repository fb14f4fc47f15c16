import SessionSupport

/// Parses a request head strictly: ambiguous input is refused (RFC 9112, 2 to 5).
enum RequestHeadParser {
    /// Why a head is refused, with the status that says so.
    struct Refusal: Error, Equatable {
        var status: Int
        var reason: String
    }

    /// Parses the bytes including the empty line.
    static func parse(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> RequestHead {
        var lines = try lines(of: bytes)[...]
        guard let first = lines.popFirst() else { throw Refusal(status: 400, reason: "no request line") }
        var head = try requestLine(first)
        for line in lines {
            let field = try field(line)
            head.headers.append(field.name, field.value)
        }
        let hosts = head.headers.values("Host").count
        guard hosts == 1 || (hosts == 0 && head.minorVersion == 0) else {
            throw Refusal(status: 400, reason: "not exactly one Host field")
        }
        return head
    }

    private static func lines(of bytes: ArraySlice<UInt8>) throws(Refusal) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        for line in bytes.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
            guard line.last == ASCII.carriageReturn else {
                if line.isEmpty { break }
                throw Refusal(status: 400, reason: "a line without carriage return")
            }
            let text = line.dropLast()
            if text.isEmpty { break }
            guard !text.contains(where: { $0 == 0 || $0 == ASCII.carriageReturn }) else {
                throw Refusal(status: 400, reason: "a NUL or a bare carriage return")
            }
            lines.append(text)
        }
        return lines
    }

    private static func requestLine(_ line: ArraySlice<UInt8>) throws(Refusal) -> RequestHead {
        let parts = line.split(separator: ASCII.space, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(ByteText.isToken),
            !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw Refusal(status: 400, reason: "not a request line") }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version.hasPrefix("HTTP/") else { throw Refusal(status: 400, reason: "not HTTP") }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw Refusal(status: 505, reason: "HTTP/1.1 and HTTP/1.0 only")
        }
        return RequestHead(
            method: String(decoding: parts[0], as: UTF8.self), target: String(decoding: parts[1], as: UTF8.self),
            minorVersion: version == "HTTP/1.1" ? 1 : 0, headers: HeaderList())
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: ASCII.colon), colon > line.startIndex,
            line[..<colon].allSatisfy(ByteText.isToken)
        else { throw Refusal(status: 400, reason: "not a header field") }
        return (
            String(decoding: line[..<colon], as: UTF8.self),
            ByteText.trimmed(String(decoding: line[(colon + 1)...], as: UTF8.self))
        )
    }
}
