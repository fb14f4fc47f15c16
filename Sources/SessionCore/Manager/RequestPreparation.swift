import SessionSupport

/// Checks a request before a task exists.
enum RequestValidation {
    static func check(_ request: TransferRequest) throws(SessionError) {
        try checkURL(request.url)
        do throws(SessionError) {
            try HeaderValidator.validate(method: request.method)
            try HeaderValidator.validate(request.headers)
            _ = try RequestFraming(request.headers, body: length(of: request.body))
        } catch {
            var error = error
            error.failingURL = request.url
            throw error
        }
    }

    /// Opens a file and closes it again: a failure now is the caller's mistake, not the network's.
    private static func length(of body: BodySpecification) throws(SessionError) -> RequestFraming.Body {
        switch body {
        case .none: .none
        case .bytes(let bytes): .known(Int64(bytes.count))
        case .file(let path): framing(try BodyFile.length(of: path))
        case .descriptor: .unknown
        case .pieces(let pieces): framing(try length(of: pieces))
        }
    }

    private static func framing(_ length: Int64?) -> RequestFraming.Body { length.map { .known($0) } ?? .unknown }

    /// Returns nil if a piece is read until its end.
    private static func length(of pieces: [BodyPiece]) throws(SessionError) -> Int64? {
        var sum: Int64? = 0
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): sum? += Int64(bytes.count)
            case .file(let path):
                let length = try BodyFile.length(of: path)
                sum = length.flatMap { length in sum.map { $0 + length } }
            case .stream:
                throw SessionError(.invalidRequest, BodyErrors.streamAmongPieces)
            }
        }
        return sum
    }

    /// Checks only what makes a URL unusable at once; the engine parses it in full, which costs more than creating a
    /// task should.
    private static func checkURL(_ url: String) throws(SessionError) {
        guard let (code, message) = fault(of: url) else { return }
        throw SessionError(code, message, failingURL: url.isEmpty ? nil : url)
    }

    private static func fault(of url: String) -> (SessionError.Code, String)? {
        if url.isEmpty { return (.invalidURL, URLErrors.empty) }
        if holdsBlank(url.utf8Span.span) { return (.invalidURL, URLErrors.blank) }
        let scan = URLScan(url)
        guard scan.isWeb else { return faultOfScheme(url, scan) }
        guard scan.namesHost else { return (.invalidURL, URLErrors.noHost) }
        // An empty one is the scheme's own.
        let port = scan.port.map { url[$0] } ?? ""
        return port.isEmpty || ByteText.port(port) != nil
            ? nil : (.invalidURL, URLErrors.invalid(Redaction.url(url), URLReasons.port))
    }

    /// The fault of a URL that is neither http nor https; `localhost:8080` has no scheme, although it seems to.
    private static func faultOfScheme(_ url: String, _ scan: URLScan) -> (SessionError.Code, String) {
        let none: (SessionError.Code, String) = (.invalidURL, URLErrors.noScheme)
        guard let scheme = scan.scheme else { return none }
        let port = url[scheme.upperBound...].dropFirst().prefix { $0 != "/" }
        if !port.isEmpty, port.utf8.allSatisfy(ByteText.isDigit) { return none }
        return (.unsupportedScheme, URLErrors.otherScheme(ByteText.lowercased(url[scheme])))
    }

    private static func holdsBlank(_ url: borrowing Span<UInt8>) -> Bool {
        for index in url.indices where url[index] <= 0x20 || url[index] == 0x7F { return true }
        return false
    }
}

/// Header fields that every new task of a manager gets unless its request sets them.
///
/// Any thread may read and write; a read is a snapshot, and a write has happened when the call returns. A class because
/// manager and user share it.
///
/// ```swift
/// manager.requestHeaders.setValue("nb", forHTTPHeaderField: "Accept-Language")
/// ```
public final class RequestHeaderStore: Sendable {
    private let fields = Locked(HeaderFields())

    init() {}

    /// All fields at this moment.
    public var snapshot: HeaderFields { fields.withLock { $0 } }

    /// The value of a field, its name compared without regard to case.
    public func value(forHTTPHeaderField name: String) -> String? { fields.withLock { $0[name] } }

    /// Sets the value of a field; nil removes it.
    public func setValue(_ value: String?, forHTTPHeaderField name: String) { fields.withLock { $0[name] = value } }

    /// Replaces all fields.
    package func set(_ all: HeaderFields) { fields.withLock { $0 = all } }

    /// Adds the fields a request lacks.
    func complete(_ request: inout TransferRequest) {
        guard let snapshot = fields.withLock({ $0.isEmpty ? nil : $0 }) else { return }
        let own = request.headers
        for field in snapshot where own[field.name] == nil {
            request.headers.append(name: field.name, value: field.value)
        }
    }
}
