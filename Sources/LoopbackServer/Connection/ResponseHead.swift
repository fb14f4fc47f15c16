import Glibc
import SessionSupport

/// Serialises a response around its body.
enum ResponseHead {
    /// Status line, fields and empty line, with the server's own fields.
    static func bytes(of response: ScriptedResponse, closing: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        let reason = response.reason ?? StatusText.reason(response.status)
        bytes.append(contentsOf: "\(response.version) \(response.status) \(reason)\r\n".utf8)
        for field in response.headers { append(field.name, field.value, to: &bytes) }
        for line in response.rawHeaderLines { bytes.append(contentsOf: line + ASCII.lineEnd) }
        if response.addsDate, !response.headers.contains("Date") {
            append("Date", HTTPDate.text(Int64(time(nil))), to: &bytes)
        }
        appendFraming(response, to: &bytes)
        if closing, !response.headers.contains("Connection") { append("Connection", "close", to: &bytes) }
        bytes.append(contentsOf: ASCII.lineEnd)
        return bytes
    }

    static func bytes(of interim: InterimResponse) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(interim.status) \(StatusText.reason(interim.status))\r\n".utf8)
        for field in interim.headers { append(field.name, field.value, to: &bytes) }
        return bytes + ASCII.lineEnd
    }

    /// The last chunk, the trailers and the empty line.
    static func lastChunk(_ trailers: HeaderList) -> [UInt8] {
        var bytes = Array("0\r\n".utf8)
        for field in trailers { append(field.name, field.value, to: &bytes) }
        return bytes + ASCII.lineEnd
    }

    /// Whether only the end of the connection marks the end of the body, or the framing is wrong.
    static func needsClose(_ response: ScriptedResponse, withBody: Bool) -> Bool {
        if response.closesConnection || response.form != .http || response.version != "HTTP/1.1" { return true }
        guard withBody, !ResponseWriter.isBodiless(response.status) else { return false }
        switch response.framing {
        case .contentLength:
            let declared = response.headers.values("Content-Length")
            return !declared.isEmpty && declared != [String(response.body.count)]
        case .chunked:
            return response.headers.contains("Content-Length")
        case .declaredLength(let lengths):
            return lengths != [String(response.body.count)]
        case .untilClose:
            return true
        case .unframed:
            return response.body.count > 0
        }
    }

    private static func appendFraming(_ response: ScriptedResponse, to bytes: inout [UInt8]) {
        switch response.framing {
        case .contentLength:
            guard response.status >= 200, response.status != 204, !response.headers.contains("Content-Length") else {
                return
            }
            append("Content-Length", String(response.body.count), to: &bytes)
        case .declaredLength(let lengths):
            for length in lengths { append("Content-Length", length, to: &bytes) }
        case .chunked:
            guard !response.headers.contains("Transfer-Encoding") else { return }
            append("Transfer-Encoding", "chunked", to: &bytes)
        case .untilClose, .unframed:
            return
        }
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(ASCII.colon)
        bytes.append(ASCII.space)
        bytes.append(contentsOf: value.utf8)
        bytes.append(contentsOf: ASCII.lineEnd)
    }
}

/// Reason phrases of the server's own status codes and of the tests' usual ones.
private enum StatusText {
    static func reason(_ status: Int) -> String {
        reasons[status] ?? "Status"
    }

    private static let reasons = [
        100: "Continue", 102: "Processing", 103: "Early Hints", 104: "Upload Resumption Supported",
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        416: "Range Not Satisfiable", 417: "Expectation Failed", 425: "Too Early", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]
}
