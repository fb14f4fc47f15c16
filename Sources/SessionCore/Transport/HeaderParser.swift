/// Turns the header lines of one attempt into response heads: the final one is handed out once, the first interim ones
/// are kept, trailers are ignored.
///
/// Limits: 1,000 field lines and 300 KB of header bytes per response, 100 interim responses.
struct HeaderParser: Sendable {
    /// What one line meant.
    enum Event: Sendable, Equatable {
        case none
        /// The final head is complete; the body, if any, follows.
        case final(ResponseHead)
        /// The server breaks a limit or the grammar; the sentence says which.
        case refused(String)
    }

    static let maximumFields = 1_000
    static let maximumBytes = 300_000
    static let maximumInterimResponses = 100
    /// Interim heads beyond so many are only counted.
    static let keptInterimHeads = 10

    private let url: String
    private var head: ResponseHead?
    private var byteCount = 0
    private var interimCount = 0
    /// The interim heads so far.
    private(set) var interimHeads: [ResponseHead] = []
    private var isDone = false

    init(url: String) {
        self.url = url
    }

    /// Takes one line, line end included, as libcurl delivers it.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Event {
        guard !isDone else { return .none }
        byteCount += line.count
        guard byteCount <= Self.maximumBytes else {
            return .refused("The server sent more than 300 KB of header lines")
        }
        let text = Self.trimmed(line)
        if text.isEmpty { return endOfHead() }
        if text.starts(with: "HTTP/".utf8), head == nil || head?.headers.isEmpty == true {
            head = Self.statusLine(text, url: url)
            return head == nil ? .refused("The server's status line cannot be read") : .none
        }
        return field(text)
    }

    private mutating func endOfHead() -> Event {
        guard let complete = head else { return .none }
        head = nil
        if (100..<200).contains(complete.statusCode), complete.statusCode != 101 {
            interimCount += 1
            guard interimCount <= Self.maximumInterimResponses else {
                return .refused("The server sent more than 100 interim responses")
            }
            if interimHeads.count < Self.keptInterimHeads { interimHeads.append(complete) }
            return .none
        }
        isDone = true
        return .final(complete)
    }

    private mutating func field(_ text: UnsafeRawBufferPointer.SubSequence) -> Event {
        guard head != nil else { return .none }
        // A folded line (RFC 9112, 5.2) continues the value before it; nothing the engine reads is ever folded.
        if text.first == 0x20 || text.first == 0x09 { return .none }
        guard let colon = text.firstIndex(of: 0x3A), colon > text.startIndex else { return .none }
        let name = String(decoding: text[text.startIndex..<colon], as: UTF8.self)
        let value = Self.trimmedBlanks(text[text.index(after: colon)...])
        head?.headers.append(name: name, value: String(decoding: value, as: UTF8.self))
        guard (head?.headers.count ?? 0) <= Self.maximumFields else {
            return .refused("The server sent more than 1,000 header fields")
        }
        return .none
    }

    private static func statusLine(_ text: UnsafeRawBufferPointer.SubSequence, url: String) -> ResponseHead? {
        let parts = text.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[1].count == 3, parts[1].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            return nil
        }
        let status = parts[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard status >= 100 else { return nil }
        let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
        return ResponseHead(statusCode: status, reasonPhrase: reason, version: version(parts[0]), url: url)
    }

    private static func version(_ text: UnsafeRawBufferPointer.SubSequence) -> HTTPVersion {
        if text.elementsEqual("HTTP/1.0".utf8) { return .http1_0 }
        if text.starts(with: "HTTP/2".utf8) { return .http2 }
        if text.starts(with: "HTTP/3".utf8) { return .http3 }
        return .http1_1
    }

    private static func trimmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer.SubSequence {
        var end = line.endIndex
        while end > line.startIndex, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
        return line[line.startIndex..<end]
    }

    private static func trimmedBlanks(
        _ text: UnsafeRawBufferPointer.SubSequence
    ) -> UnsafeRawBufferPointer.SubSequence {
        var start = text.startIndex
        var end = text.endIndex
        while start < end, text[start] == 0x20 || text[start] == 0x09 { start += 1 }
        while end > start, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
        return text[start..<end]
    }
}
