/// Bodies of requests that cannot be read or sent.
enum BodyErrors {
    static func unreadable(_ path: String) -> String { "Cannot read \(path)" }
    static func unreadable(_ path: String, _ reason: String) -> String { "Cannot read \(path): \(reason)" }
    static func unreadableBody(_ reason: String) -> String { "Cannot read the body: \(reason)" }
    static func unreadableStream(_ reason: String) -> String { "Cannot read the body stream: \(reason)" }
    static let unreadableStream = "Cannot read the body stream"
    static func shrank(_ path: String) -> String { "\(path) became shorter while being sent" }
    static func changed(_ path: String) -> String { "\(path) changed while being sent; send it again" }
    static func folder(_ path: String) -> String { "\(path) is a folder" }
    static func endless(_ path: String) -> String { "\(path) is a device without an end" }
    static func notFileURL(_ url: String) -> String { "Body is not a file URL: \(url)" }
    static let noStream = "Request has no body stream"
    static let noDescriptor = "Out of file descriptors for the body"
    static let streamAmongPieces = "A stream among the pieces of a body needs an upload task"
    static let noDigest = "Digest of the body needs a file or a text: other bodies are known only when sent"
    static let readOnce = "Body must be sent again, but can be read only once"
    static func longerThanLength(_ length: Int64) -> String {
        "Body is longer than its Content-Length of \(length) bytes"
    }
    static func shorterThanLength(_ length: Int64, missing: Int64) -> String {
        "Body ended \(missing) bytes short of its Content-Length of \(length)"
    }

    // MARK: - Forms

    static let formStreamRead = "Form stream was already read and cannot be sent twice"
    static func formStream(_ reason: String) -> String { "Cannot read a form stream: \(reason)" }
    static func formStreamLonger(_ length: Int64) -> String {
        "Form stream is longer than the announced \(length) bytes"
    }
    static func formStreamShorter(_ length: Int64) -> String {
        "Form stream is shorter than the announced \(length) bytes"
    }
}
