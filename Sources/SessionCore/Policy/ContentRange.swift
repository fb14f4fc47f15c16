import Support

/// The value of a Content-Range field (RFC 9110, 14.4).
enum ContentRange: Sendable, Equatable {
    /// `bytes first-last/total`; the total is nil for `*`.
    case range(first: Int64, last: Int64, total: Int64?)
    /// `bytes */total`, which goes with status 416.
    case unsatisfied(total: Int64)

    /// Reads a value; nil for another unit, numbers that contradict each other or that do not fit.
    init?(_ text: String) {
        let words = ByteText.trimmed(text).split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, ByteText.lowercased(words[0]) == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[0] == "*" {
            guard let total = ByteText.decimal(parts[1]) else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ByteText.decimal(ends[0]), let last = ByteText.decimal(ends[1]),
            first <= last, last < Int64.max
        else { return nil }
        if parts[1] == "*" {
            self = .range(first: first, last: last, total: nil)
            return
        }
        guard let total = ByteText.decimal(parts[1]), last < total else { return nil }
        self = .range(first: first, last: last, total: total)
    }
}
