import Glibc
import SessionSupport

extension ServedResource {
    /// The most ranges of one request; more are an attack or a mistake, and get the complete resource.
    private static let rangeLimit = 16

    /// The response to a request for this resource.
    public func response(to request: RecordedRequest) -> ScriptedResponse {
        if let refused = failedCondition(request) { return refused }
        guard let ranges = requestedRanges(request) else { return fullResponse }
        let found = ranges.compactMap { $0.range(in: body.count) }
        guard let first = found.first else { return unsatisfiable }
        if ranges.count == 1 { return part(first) }
        let total = found.reduce(0) { $0 + Int64($1.count) }
        guard servesMultipleRanges, found.count <= Self.rangeLimit, total <= body.count else { return fullResponse }
        return found.count == 1 ? part(first) : multipart(found)
    }

    /// The complete resource with status 200.
    public var fullResponse: ScriptedResponse {
        var headers = validators
        headers["Content-Type"] = type
        return ScriptedResponse(200, headers: headers, body: body)
    }

    /// One range with status 206.
    public func part(_ range: Range<Int64>) -> ScriptedResponse {
        let range = range.clamped(to: 0..<body.count)
        var headers = validators
        headers["Content-Type"] = type
        headers["Content-Range"] = contentRange(range)
        return ScriptedResponse(206, headers: headers, body: .slice(body, range))
    }

    /// Several ranges with status 206, multipart/byteranges.
    public func multipart(_ ranges: [Range<Int64>]) -> ScriptedResponse {
        let boundary = "part-of-the-whole-7d1c0f"
        var pieces: [ServedBody] = []
        for range in ranges.map({ $0.clamped(to: 0..<body.count) }) {
            let fields = "Content-Type: \(type)\r\nContent-Range: \(contentRange(range))\r\n\r\n"
            pieces.append(.text("\r\n--\(boundary)\r\n" + fields))
            pieces.append(.slice(body, range))
        }
        pieces.append(.text("\r\n--\(boundary)--\r\n"))
        var headers = validators
        headers["Content-Type"] = "multipart/byteranges; boundary=\(boundary)"
        return ScriptedResponse(206, headers: headers, body: .joined(pieces))
    }

    /// Status 416 with the true length.
    public var unsatisfiable: ScriptedResponse {
        var response = ScriptedResponse.text("There is no such range.\n", status: 416)
        response.headers["Content-Range"] = "bytes */\(body.count)"
        return response
    }

    private var validators: HeaderList {
        var headers = HeaderList()
        if let entityTag { headers["ETag"] = entityTag }
        if let lastModified { headers["Last-Modified"] = HTTPDate.text(Int64(lastModified)) }
        if let acceptRanges { headers["Accept-Ranges"] = acceptRanges }
        return headers
    }

    private func contentRange(_ range: Range<Int64>) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
    }

    private func requestedRanges(_ request: RecordedRequest) -> [RangeSpecifier]? {
        guard honoursRange, request.method == "GET", let text = request.header("Range") else { return nil }
        if honoursIfRange, let condition = request.header("If-Range"), !isSame(condition) { return nil }
        return RangeSpecifier.parse(text)
    }

    /// Whether an If-Range matches the current version: by a strong tag, or by an equal date that is a strong
    /// validator.
    private func isSame(_ condition: String) -> Bool {
        if condition.hasPrefix("\"") { return condition == entityTag }
        guard let date = HTTPDate.seconds(condition), let lastModified else { return false }
        return date == lastModified && date < time(nil)
    }

    private func failedCondition(_ request: RecordedRequest) -> ScriptedResponse? {
        if let wanted = request.header("If-Match"), !matches(wanted, weakly: false) {
            return .text("The resource is another one now.\n", status: 412)
        }
        guard let known = request.header("If-None-Match") else { return failedDate(request) }
        guard matches(known, weakly: true) else { return nil }
        guard request.method == "GET" || request.method == "HEAD" else {
            return .text("The resource exists already.\n", status: 412)
        }
        return ScriptedResponse(304, headers: validators, framing: .unframed)
    }

    /// The two conditions on the date, which apply only without a condition on the entity tag.
    private func failedDate(_ request: RecordedRequest) -> ScriptedResponse? {
        guard let lastModified else { return nil }
        if request.header("If-Match") == nil,
            let limit = request.header("If-Unmodified-Since").flatMap(HTTPDate.seconds),
            lastModified > limit
        {
            return .text("The resource is another one now.\n", status: 412)
        }
        guard request.method == "GET" || request.method == "HEAD",
            let known = request.header("If-Modified-Since").flatMap(HTTPDate.seconds),
            lastModified <= known
        else { return nil }
        return ScriptedResponse(304, headers: validators, framing: .unframed)
    }

    private func matches(_ list: String, weakly: Bool) -> Bool {
        if ByteText.trimmed(list) == "*" { return true }
        guard let entityTag, weakly || !entityTag.hasPrefix("W/") else { return false }
        let own = entityTag.hasPrefix("W/") ? String(entityTag.dropFirst(2)) : entityTag
        return ASCII.list(list).contains { tag in
            weakly && tag.hasPrefix("W/") ? tag.dropFirst(2) == own : tag == own
        }
    }
}

/// A requested byte range, before it is compared with the length (RFC 9110, 14.1.1).
enum RangeSpecifier: Sendable, Equatable {
    case from(Int64)
    case between(Int64, Int64)
    case last(Int64)

    /// The ranges of a Range field; nil when the field must be ignored: another unit, or a malformed one.
    static func parse(_ text: String) -> [RangeSpecifier]? {
        guard let mark = text.firstIndex(of: "="), ByteText.isSame(String(text[..<mark]), "bytes") else { return nil }
        let parts = ASCII.list(String(text[text.index(after: mark)...]))
        let ranges = parts.compactMap(one)
        return ranges.isEmpty || ranges.count != parts.count ? nil : ranges
    }

    /// The range within a resource; nil when it does not overlap.
    func range(in count: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first):
            first < count ? first..<count : nil
        case .between(let first, let last):
            first < count ? first..<min(last, count - 1) + 1 : nil
        case .last(let length):
            length > 0 && count > 0 ? max(0, count - length)..<count : nil
        }
    }

    private static func one(_ text: String) -> RangeSpecifier? {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[0].isEmpty { return ByteText.decimal(bytes: parts[1]).map(RangeSpecifier.last) }
        guard let first = ByteText.decimal(bytes: parts[0]) else { return nil }
        if parts[1].isEmpty { return .from(first) }
        guard let last = ByteText.decimal(bytes: parts[1]), last >= first else { return nil }
        return .between(first, last)
    }
}
