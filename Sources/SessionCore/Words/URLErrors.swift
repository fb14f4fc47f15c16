/// Errors about URLs that cannot be requested.
enum URLErrors {
    static let empty = "URL is empty"
    static let missing = "Request has no URL"
    static let invalid = "Invalid URL"
    static func invalid(_ url: String, _ reason: String) -> String { "Invalid URL \(url): \(reason)" }
    static func tooLong(_ limit: Int) -> String { "URL longer than \(limit) bytes" }
    static let controlCharacter = "URL contains a control character"
    static let blank = "URL contains a space or a control character"
    static let noHost = "URL has no host"
    static let noScheme = "URL has no scheme; write http:// or https:// in front of it"
    static func otherScheme(_ scheme: String) -> String { "Unsupported URL scheme \(scheme), only http and https" }
    static func otherScheme(_ scheme: String, _ url: String) -> String {
        "Unsupported URL scheme \(scheme), only http and https: \(url)"
    }
}

/// Errors in a URL.
enum URLReasons {
    static let noScheme = "no scheme"
    static let noHost = "no host"
    static let port = "port must be a number from 1 to 65535"
    static let hostName = "invalid international host name"
}
