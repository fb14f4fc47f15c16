import SessionSupport

/// Parses the header lines of one attempt into response heads: returns the final one once, keeps the first interim
/// ones, counts trailers.
///
/// Limits: 1,000 field lines and 300 KB of header bytes per response, 100 interim responses, 100 trailer fields and 64
/// KB of them. libcurl limits only single lines, and keeps every line.
struct HeaderParser {
    /// The meaning of one line.
    enum Event: Sendable, Equatable {
        case none
        /// The final head is complete; the body, if any, follows.
        case final(ResponseHead)
        /// The server exceeds a limit or breaks the grammar; the message says which.
        case refused(String)
    }

    private static let maximumFields = 1_000
    private static let maximumBytes = 300_000
    private static let maximumInterimResponses = 100
    private static let maximumTrailers = 100
    private static let maximumTrailerBytes = 64_000
    /// Interim heads above this number are only counted.
    private static let keptInterimHeads = 10

    private let url: String
    private let cache: HeaderLineCache
    /// Whether libcurl answers the challenges of NTLM by itself, so that they are no responses.
    private let skipsHandshake: Bool
    /// The head being parsed; its status code is 0 before the status line.
    private var head = Self.noHead
    private static let noHead = ResponseHead(statusCode: 0)
    private(set) var byteCount = 0
    private var interimCount = 0
    private var trailerCount = 0
    private var trailerBytes = 0
    /// The trailer fields that announce a digest; no other is of use.
    private(set) var digestTrailers = HeaderFields()
    /// Whether a Content-Disposition field of the head has bytes that are not UTF-8.
    private var hasRawName = false
    private(set) var interimHeads: [ResponseHead] = []
    private var isDone = false
    private var hasSkippedChallenge = false
    /// Whether a challenge of NTLM was all that came: libcurl cannot read it, and sends no answer.
    var isLeftAtChallenge: Bool { hasSkippedChallenge && !isDone }

    /// Whether anything of a response has arrived.
    var hasBegun: Bool { byteCount > 0 }

    /// Whether a head has begun whose end is missing.
    var isInHead: Bool { head.statusCode != 0 && !isDone }

    init(url: String, cache: HeaderLineCache, skipsHandshake: Bool = false) {
        self.url = url
        self.cache = cache
        self.skipsHandshake = skipsHandshake
    }

    /// Parses what libcurl delivers: one line including its end, or several that arrived during a pause.
    mutating func read(_ lines: UnsafeRawBufferPointer) -> Event {
        var event = Event.none
        var rest = lines
        while let end = ByteText.index(of: UInt8(ascii: "\n"), in: rest), end + 1 < rest.count {
            let found = readLine(UnsafeRawBufferPointer(rebasing: rest[...end]))
            if case .refused = found { return found }
            if found != .none { event = found }
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
        let last = readLine(rest)
        return last == .none ? event : last
    }

    private mutating func readLine(_ line: UnsafeRawBufferPointer) -> Event {
        guard !isDone else { return trailer(line) }
        byteCount += line.count
        guard byteCount <= Self.maximumBytes else {
            return .refused(ResponseErrors.headTooLong)
        }
        let text = Self.trimmed(line)
        if text.isEmpty { return endOfHead() }
        if head.headers.isEmpty, Self.isStatusLine(text) {
            guard let status = cache.status(text, Self.status) else {
                return .refused(ResponseErrors.unreadableStatusLine)
            }
            head = ResponseHead(
                statusCode: status.code, reasonPhrase: status.reason, version: status.version, url: url)
            return .none
        }
        return field(text)
    }

    /// Counts a line after the final head, refuses too many, and keeps digests.
    private mutating func trailer(_ line: UnsafeRawBufferPointer) -> Event {
        trailerCount += 1
        trailerBytes += line.count
        // The empty line at the end counts as well.
        guard trailerCount > Self.maximumTrailers + 1 || trailerBytes > Self.maximumTrailerBytes else {
            if let field = Self.line(Self.trimmed(line))?.field, AnnouncedDigest.names(field.name) {
                digestTrailers.append(name: field.name, value: field.value)
            }
            return .none
        }
        return .refused(ResponseErrors.tooManyTrailers(Self.maximumTrailers))
    }

    /// Whether a line begins a head; libcurl ignores the case of the protocol's name.
    private static func isStatusLine(_ text: UnsafeRawBufferPointer) -> Bool {
        let start: StaticString = "http/"
        guard text.count >= start.utf8CodeUnitCount else { return false }
        return (0..<start.utf8CodeUnitCount).allSatisfy { text[$0] | 0x20 == start.utf8Start[$0] | 0x20 }
    }

    private mutating func endOfHead() -> Event {
        guard head.statusCode > 0 else { return .none }
        if hasRawName {
            head.readDispositions()
            hasRawName = false
        }
        let complete = exchange(&head, with: Self.noHead)
        if (100..<200).contains(complete.statusCode), complete.statusCode != 101 {
            interimCount += 1
            guard interimCount <= Self.maximumInterimResponses else {
                return .refused(ResponseErrors.tooManyInterim)
            }
            if interimHeads.count < Self.keptInterimHeads { interimHeads.append(complete) }
            return .none
        }
        if skipsHandshake, complete.challengesByNTLM {
            interimCount += 1
            hasSkippedChallenge = true
            return interimCount <= Self.maximumInterimResponses ? .none : .refused(ResponseErrors.tooManyInterim)
        }
        isDone = true
        return .final(complete)
    }

    private mutating func field(_ text: UnsafeRawBufferPointer) -> Event {
        guard head.statusCode > 0 else { return .none }
        if text.first == 0x20 || text.first == 0x09 { return continueField(text) }
        guard let line = cache.field(text, Self.line) else { return .none }
        head.headers.append(line.field)
        guard head.headers.count <= Self.maximumFields else {
            return .refused(ResponseErrors.tooManyFields)
        }
        switch line.trait {
        case .none: return .none
        case .rawName: hasRawName = true
        case .unaskedCoding(let coding): return .refused(ResponseErrors.unaskedCoding(coding))
        }
        return .none
    }

    /// Whether a line names a file in bytes that are not UTF-8.
    private static func hasRawName(_ name: String, _ line: UnsafeRawBufferPointer) -> Bool {
        ByteText.isSame(name, ResponseHead.disposition) && String(validating: line, as: UTF8.self) == nil
    }

    /// Returns the transfer coding a field names besides chunked, which a server may use only on request (RFC 9112,
    /// 7.4); nil for every other field.
    ///
    /// libcurl would decode it without a limit, and buffer all output of a chunk while the transfer is paused.
    private static func unaskedCoding(_ field: HeaderFields.Field) -> String? {
        guard ByteText.isSame(field.name, "Transfer-Encoding") else { return nil }
        return field.value.split(separator: ",").lazy.map { ByteText.lowercased(ByteText.trimmed($0)) }
            .first { !$0.isEmpty && $0 != "chunked" && $0 != "identity" }
    }

    /// Joins a folded line with the value before it (RFC 9112, 5.2).
    ///
    /// libcurl reads only the first line, so folded fields that determine the body's end or range are refused.
    private mutating func continueField(_ text: UnsafeRawBufferPointer) -> Event {
        let rest = Self.text(Self.trimmedBlanks(text[...]))
        guard let name = head.headers.appendToLast(rest) else { return .none }
        if Self.hasRawName(name, text) { hasRawName = true }
        guard Self.unfoldable.contains(ByteText.lowercased(name)) else { return .none }
        return .refused(ResponseErrors.foldedField(name))
    }

    private static let unfoldable: Set<String> = [
        "content-length", "transfer-encoding", "content-range", "content-encoding", "location",
    ]

    private static func line(_ text: UnsafeRawBufferPointer) -> HeaderLineCache.Line? {
        guard let colon = text.firstIndex(of: 0x3A), colon > text.startIndex else { return nil }
        let name = String(decoding: text[..<colon], as: UTF8.self)
        let value = trimmedBlanks(text[(colon + 1)...])
        let field = HeaderFields.Field(
            name: name, value: ByteText.isSame(name, "Location") ? escapedText(value) : Self.text(value))
        if let coding = unaskedCoding(field) { return .init(field: field, trait: .unaskedCoding(coding)) }
        return .init(field: field, trait: hasRawName(name, text) ? .rawName : .none)
    }

    /// Decodes a value: UTF-8, otherwise ISO-8859-1, which HTTP once specified (RFC 9110, 5.5) and which is lossless.
    private static func text(_ bytes: UnsafeRawBufferPointer.SubSequence) -> String {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return text
    }

    /// Decodes a `Location`, whose bytes go back to a server: bytes that are not UTF-8 are percent-escaped.
    private static func escapedText(_ bytes: UnsafeRawBufferPointer.SubSequence) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.reduce(into: "") { text, byte in
            text += byte < 0x80 ? String(Unicode.Scalar(byte)) : URLParser.escape(byte)
        }
    }

    private static func status(_ text: UnsafeRawBufferPointer) -> HeaderLineCache.Status? {
        let parts = text.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[1].count == 3, parts[1].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            return nil
        }
        let code = parts[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard code >= 100 else { return nil }
        let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
        return HeaderLineCache.Status(code: code, reason: reason, version: version(parts[0]))
    }

    private static func version(_ text: UnsafeRawBufferPointer.SubSequence) -> HTTPVersion {
        if text.elementsEqual("HTTP/1.0".utf8) { return .http1_0 }
        if text.starts(with: "HTTP/2".utf8) { return .http2 }
        if text.starts(with: "HTTP/3".utf8) { return .http3 }
        return .http1_1
    }

    private static func trimmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = line.endIndex
        while end > line.startIndex, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<end])
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

extension ResponseHead {
    /// Whether it is the second message of NTLM, which is answered on the same connection.
    fileprivate var challengesByNTLM: Bool {
        guard statusCode == 401 else { return false }
        return headers.values(named: "WWW-Authenticate").contains { value in
            let words = value.split(separator: " ", maxSplits: 1)
            return words.count == 2 && ByteText.isSame(String(words[0]), "NTLM")
        }
    }

    fileprivate static let disposition = "Content-Disposition"

    /// Decodes file names that were taken for ISO-8859-1 in the charset the response declares for its body: servers
    /// that send such names use the same charset for both.
    fileprivate mutating func readDispositions() {
        guard let charset else { return }
        headers.replaceValues(named: Self.disposition) { value in
            let bytes = value.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
            guard bytes.count == value.unicodeScalars.count else { return nil }
            return CharsetText.decoded(bytes, charset: charset)
        }
    }
}
