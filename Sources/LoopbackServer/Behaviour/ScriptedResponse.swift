/// What the server answers, byte for byte, honest or not.
///
/// The server adds `Date`, the framing fields and `Connection: close` where they are due; a field of the same name in
/// ``headers`` takes their place, so that any of them can lie.
public struct ScriptedResponse: Sendable {
    /// The form of the first bytes.
    public enum Form: Sendable, Equatable {
        /// A status line, fields, and the body.
        case http
        /// The body alone, as raw bytes, and then the end of the connection.
        case raw
        /// Nothing at all: the connection ends, with the cut's manner if there is a cut.
        case silence
    }

    /// The form of the first bytes.
    public var form: Form = .http
    /// The status code.
    public var status: Int
    /// The reason phrase; nil for the usual one.
    public var reason: String?
    /// The version in the status line.
    public var version = "HTTP/1.1"
    /// The fields.
    public var headers: HeaderList
    /// Whole field lines without their line end, sent as they are after ``headers``.
    public var rawHeaderLines: [[UInt8]] = []
    /// Whether a Date is added when ``headers`` has none.
    public var addsDate = true
    /// The body.
    public var body: ServedBody
    /// How the body's end is told.
    public var framing: Framing
    /// Fields after the last chunk.
    public var trailers: HeaderList = [:]
    /// Answers before this one.
    public var interim: [InterimResponse] = []
    /// What to wait for before the first byte.
    public var gateBeforeHead: Gate?
    /// How the body flows.
    public var delivery = Delivery()
    /// Bytes that follow the answer and belong to none, where the connection stays; in one piece with the answer's last
    /// bytes, as far as those are fewer than 16 KiB.
    public var surplus: [UInt8] = []
    /// What the surplus waits for, once the answer is out.
    public var gateBeforeSurplus: Gate?
    /// Whether the connection ends after this answer although it need not.
    public var closesConnection = false

    /// An answer with a body.
    public init(
        _ status: Int = 200, headers: HeaderList = [:], body: ServedBody = .empty, framing: Framing = .contentLength
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.framing = framing
    }

    /// An answer with a text; `text/plain` unless said otherwise.
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

    /// A redirect; the location is sent as it is.
    public static func redirect(to location: String, status: Int = 302) -> ScriptedResponse {
        ScriptedResponse(status, headers: ["Location": location])
    }

    /// Bytes that need not be HTTP, and then the end of the connection.
    public static func raw(_ body: ServedBody) -> ScriptedResponse {
        var response = ScriptedResponse(body: body)
        response.form = .raw
        return response
    }

    /// The end of the connection in place of an answer.
    public static func silence(_ manner: Cut.Manner = .close) -> ScriptedResponse {
        var response = ScriptedResponse()
        response.form = .silence
        response.delivery.cut = Cut(after: 0, manner: manner)
        return response
    }
}

/// How the end of a response body is told.
public enum Framing: Sendable, Equatable {
    /// A Content-Length with the true number.
    case contentLength
    /// One Content-Length line for each text, whatever it says: too large, too small, two that differ, no number.
    case declaredLength([String])
    /// Chunks of so many bytes, the last one shorter.
    case chunked(Int)
    /// No length; the end of the connection is the end of the body.
    case untilClose
    /// No length, and the connection stays: for answers that have no body.
    case unframed

    /// Chunks of a common size.
    public static let chunked = Framing.chunked(16_384)
}

/// Answers of status 1xx that come before the final one.
public struct InterimResponse: Sendable {
    /// The status, from 100 to 199.
    public var status: Int
    /// The header fields of the interim response.
    public var headers: HeaderList
    /// How many times it is sent.
    public var times: Int
    /// Microseconds between two of its bytes; 0 sends it in one piece.
    public var byteInterval: UInt32

    /// An interim answer, sent once and in one piece unless said otherwise.
    public init(status: Int, headers: HeaderList = [:], times: Int = 1, byteInterval: UInt32 = 0) {
        self.status = status
        self.headers = headers
        self.times = times
        self.byteInterval = byteInterval
    }
}
