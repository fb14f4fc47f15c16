import Support

/// How long a server asks to be left alone (RFC 9110, 10.2.3).
enum RetryAfter {
    /// A server cannot hold a transfer back for longer than this with one answer: one hour.
    static let limit: Int64 = 3_600_000

    /// The wait in milliseconds, at most ``limit``; nil when the answer names none or nonsense.
    ///
    /// A date is measured against the answer's own Date field, so that a wrong clock on either side does no harm.
    /// - Parameter now: seconds since 1970, used when the answer has no valid Date.
    static func milliseconds(_ head: ResponseHead, now: Int64) -> Int64? {
        guard let value = head.headers.values(named: "Retry-After").first.map(ByteText.trimmed(_:)) else { return nil }
        if let seconds = ByteText.decimal(value) {
            return seconds > limit / 1000 ? limit : seconds * 1000
        }
        if !value.isEmpty, value.utf8.allSatisfy(ByteText.isDigit) { return limit }
        guard let moment = HTTPDate.seconds(value) else { return nil }
        let reference = head.headers["Date"].flatMap(HTTPDate.seconds) ?? now
        return min(max(moment - reference, 0), limit / 1000) * 1000
    }
}
