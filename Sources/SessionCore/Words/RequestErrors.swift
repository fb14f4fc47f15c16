/// Header fields, methods and tasks that a request cannot have.
enum RequestErrors {
    static func method(_ method: String) -> String { "Invalid request method: “\(method)”" }
    static func fieldName(_ name: String) -> String { "Invalid header field name: “\(name)”" }
    static func fieldValue(_ name: String) -> String { "Header field \(name) contains a control character" }
    static func unsupportedField(_ name: String) -> String {
        "Header field \(name) cannot be set: upgrades and trailers are unsupported"
    }
    static let noNTLM = "This libcurl was built without NTLM"
    static let transferEncoding = "Header field Transfer-Encoding is set by the library for bodies of unknown length"
    static let lengthUnreadable = "Header field Content-Length must be one number of bytes"
    static func lengthWithoutBody(_ length: Int64) -> String {
        "Header field Content-Length says \(length) bytes, but the request has no body"
    }
    static func lengthDiffers(_ length: Int64, body: Int64) -> String {
        "Header field Content-Length says \(length) bytes, but the body has \(body); leave it out"
    }
    static let lengthZero = "Header field Content-Length says 0 bytes, but the request has a body"
    static let host = "Header field Host must be one host name or address, with or without a port"
    static let connection = "Header field Connection may only be close or keep-alive"
    static let transferCodings = "Header field TE may only be trailers: transfer codings are not decoded"
    static let expect = "Header field Expect may only be 100-continue, or empty to send the body at once"
    static func other(_ subject: String) -> String { "libcurl refused \(subject)" }

    // MARK: - Tasks

    static func destination(_ url: String) -> String { "Destination is not a file URL: \(url)" }
    static func taskExists(_ id: String) -> String { "Task \(id) already exists and has not ended" }
    static func foundationProperty(_ name: String) -> String {
        "SessionCore: URLRequest.\(name) has no effect here and is ignored"
    }
    static let awsScope = "Host name shows no AWS region and service"
    static func awsBodyDigest(_ service: String) -> String {
        "AWS service \(service) needs the digest of the body, which is a file"
    }
}

/// Settings of a connection, as a refusal names them.
enum SettingLabels {
    static let interface = "the interface"
    static let socket = "the socket's path"
    static let pins = "the pins"
    static let certificate = "the client certificate"
    static let certificateFormat = "the client certificate's format"
    static let key = "the client key"
    static let keyPassword = "the client key's passphrase"
    static let proxy = "the proxy"
    static let proxyExceptions = "the proxy's exceptions"
    static let proxyUser = "the proxy's user"
    static let proxyPassword = "the proxy's password"
}
