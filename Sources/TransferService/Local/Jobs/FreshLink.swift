import Foundation
import SessionCore
import SessionSupport

/// What a command prints in place of an expired link: a URL, header fields, or both.
struct FreshLink: Sendable, Equatable {
    var url: String?
    var headers = HeaderFields()

    /// Reads one URL or field a line; throws the problem as a phrase.
    init(_ output: [UInt8]) throws(ShellCommand.Failure) {
        for text in output.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = String(decoding: text, as: UTF8.self).drop { $0 == " " }
            guard !line.isEmpty else { continue }
            guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw ShellCommand.Failure(cause: CommandReasons.noLink)
            }
            if url == nil, line.hasPrefix("https://") || line.hasPrefix("http://") {
                url = String(line)
            } else if let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                line[..<colon].utf8.allSatisfy(ByteText.isToken), !line[colon...].hasPrefix("://")
            {
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                headers[String(line[..<colon])] = String(value)
            } else {
                throw ShellCommand.Failure(cause: CommandReasons.noLink)
            }
        }
        guard url != nil || !headers.isEmpty else { throw ShellCommand.Failure(cause: CommandReasons.noOutput) }
    }

    /// The job with this link, which resumes its partial file.
    func job(_ old: Job) -> Job {
        var job = old
        if let url { job.url = url }
        for field in headers { job.headers[field.name] = field.value }
        job.continues = true
        job.startsPaused = false
        return job
    }

    // MARK: - Expiry

    /// The codes with which storage services tell, beside 400, that a signature or token has expired.
    private static let codes = ["ExpiredToken", "TokenRefreshRequired", "RequestExpired"]

    /// Whether a failed response means that the link or its token has expired: 401, 403, 410, or a 400 that says so.
    static func isExpiry(status: Int?, body: [UInt8]) -> Bool {
        switch status {
        case 401, 403, 410: return true
        case 400:
            let text = String(decoding: body.prefix(8 << 10), as: UTF8.self)
            return codes.contains { text.contains($0) }
        default: return false
        }
    }
}

/// The facts about a task for the command that replaces its link, as one JSON object.
struct ExpiredTask: Encodable {
    var id: UInt64
    var kind: String
    var method: String
    /// Complete, because the command needs it.
    var url: String
    var tag: String?
    var path: String?
    var httpStatus: Int?
    /// The bytes of the partial file.
    var received: Int64

    /// The object's JSON, with a line break at the end.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try? encoder.encode(self)
        return (data.map { Array($0) } ?? []) + [0x0A]
    }
}
