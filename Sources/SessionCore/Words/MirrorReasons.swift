import SessionSupport

/// Reasons why a mirror is left, or another one goes first.
enum MirrorReasons {
    static let otherBytes = "Different content"
    static let closed = "Connection closed"
    static let noRanges = "No range support"
    static let rangeRefused = "Requested range refused (416)"
    static let rangeUnnamed = "No Content-Range in response"
    static let wrongRange = "Wrong Content-Range in response"
    static let falseRange = "Body is another range than Content-Range says"
    static let otherDate = "Different Last-Modified, and no checksum to compare"
    static func otherLength(_ size: Int64, expected: Int64) -> String {
        let sizes = SizeWords.pair(size, expected)
        return "File has \(sizes.first), expected \(sizes.second)"
    }
    static let fileChanged = "File changed"
    static let otherChecksum = "Announced checksum differs"
    static func restAnswered(_ phrase: String) -> String { "\(phrase) for the rest of the file" }
    static let timedOut = "No response in time"
    static let stopped = "Stopped sending"
    static let failedAlone = "No progress in several tries"

    // MARK: - Hosts in trouble

    static func rateLimited(_ host: String) -> String { "\(host) is rate limiting (Retry-After)" }
    static func unreachable(_ host: String) -> String { "\(host) is unreachable" }
    static func silent(_ host: String) -> String { "\(host) does not respond" }
    static func slow(_ host: String) -> String { "\(host) is slow, others are waiting" }

    // MARK: - All of them

    static func failed(_ host: String, _ reason: String) -> String { "\(host): \(reason)" }
    static func allFailed(_ count: Int, _ reasons: [String]) -> String {
        "All \(count, "mirror", "mirrors") failed (\(reasons.joined(separator: "; ")))"
    }
}
