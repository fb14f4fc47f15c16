/// The server's response, byte for byte, valid or not.
///
/// The server adds `Date`, the framing fields and `Connection: close` where required; a field of the same name in
/// ``headers`` replaces its own, so that any of them can be wrong.
public struct ScriptedResponse: Sendable {
    /// The form of the response.
    public enum Form: Sendable, Equatable {
        /// A status line, fields, and the body.
        case http
        /// Only the body, as raw bytes, then the end of the connection.
        case raw
        /// No bytes: the connection ends, in the cut's manner, if any.
        case silence
    }

    /// The form of the response.
    public var form: Form = .http
    /// The status code.
    public var status: Int
    /// The reason phrase; nil for the standard one.
    public var reason: String?
    /// The version in the status line.
    public var version = "HTTP/1.1"
    /// The fields.
    public var headers: HeaderList
    /// Complete field lines without their line end, sent unchanged after ``headers``.
    public var rawHeaderLines: [[UInt8]] = []
    /// Whether a Date is added when ``headers`` has none.
    public var addsDate = true
    /// The body.
    public var body: ServedBody
    /// The framing of the body.
    public var framing: Framing
    /// Fields after the last chunk.
    public var trailers: HeaderList = [:]
    /// The interim responses before this one.
    public var interim: [InterimResponse] = []
    /// The gate before the first byte.
    public var gateBeforeHead: Gate?
    /// The flow of the body.
    public var delivery = Delivery()
    /// Bytes after the response that belong to none, if the connection stays open; below 16 KiB they leave in one piece
    /// with the response's last bytes.
    public var surplus: [UInt8] = []
    /// The gate between the response and the surplus.
    public var gateBeforeSurplus: Gate?
    /// Whether the connection ends after this response although it need not.
    public var closesConnection = false

    /// Creates a response with a body.
    public init(
        _ status: Int = 200, headers: HeaderList = [:], body: ServedBody = .empty, framing: Framing = .contentLength
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.framing = framing
    }

    /// A response with a text; `text/plain` by default.
    public static func text(
        _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
    ) -> ScriptedResponse {
        ScriptedResponse(status, headers: ["Content-Type": type], body: .text(text))
    }

    /// A JSON document.
    public static func json(_ text: String, status: Int = 200) -> ScriptedResponse {
        .text(text, status: status, type: "application/json")
    }

    /// A web page.
    public static func html(_ text: String, status: Int = 200) -> ScriptedResponse {
        .text(text, status: status, type: "text/html; charset=utf-8")
    }

    /// A redirect; the location is sent unchanged.
    public static func redirect(to location: String, status: Int = 302) -> ScriptedResponse {
        ScriptedResponse(status, headers: ["Location": location])
    }

    /// Bytes that need not be HTTP, then the end of the connection.
    public static func raw(_ body: ServedBody) -> ScriptedResponse {
        var response = ScriptedResponse(body: body)
        response.form = .raw
        return response
    }

    /// The end of the connection instead of a response.
    public static func silence(_ manner: Cut.Manner = .close) -> ScriptedResponse {
        var response = ScriptedResponse()
        response.form = .silence
        response.delivery.cut = Cut(after: 0, manner: manner)
        return response
    }
}

/// How the end of a response body is marked.
public enum Framing: Sendable, Equatable {
    /// A Content-Length with the true number.
    case contentLength
    /// One Content-Length line for each text, right or wrong: too large, too small, two that differ, no number.
    case declaredLength([String])
    /// Chunks of this many bytes, the last one shorter.
    case chunked(Int)
    /// No length; the end of the connection is the end of the body.
    case untilClose
    /// No length, and the connection stays open: for responses without a body.
    case unframed

    /// Chunks of a common size.
    public static let chunked = Framing.chunked(16_384)
}

/// Responses of status 1xx before the final one.
public struct InterimResponse: Sendable {
    /// The status, from 100 to 199.
    public var status: Int
    /// The header fields of the interim response.
    public var headers: HeaderList
    /// How many times it is sent.
    public var times: Int
    /// Microseconds between two of its bytes; 0 sends it in one piece.
    public var byteInterval: UInt32

    /// Creates an interim response, by default sent once and in one piece.
    public init(status: Int, headers: HeaderList = [:], times: Int = 1, byteInterval: UInt32 = 0) {
        self.status = status
        self.headers = headers
        self.times = times
        self.byteInterval = byteInterval
    }
}
