import Dashboard
import TransferService

/// A server's responses to requests for the first byte of a file.
struct RangeReport: Sendable, Equatable {
    /// The response to a request without a condition; nil without a response.
    var plain: ServerTrial.Answer?
    /// The status with the file's own validator in `If-Range`, and with another one.
    var matching: Int?
    var other: Int?

    static func ask(_ trial: ServerTrial) -> RangeReport {
        let range = (name: "Range", value: "bytes=0-0")
        var report = RangeReport(plain: trial.answer(to: [range]))
        guard report.plain?.status == 206, let validator = report.plain?.validator else { return report }
        let other = RangeChecks.isTag(validator) ? "\"netdash-doctor\"" : "Thu, 01 Jan 1970 00:00:00 GMT"
        report.matching = trial.answer(to: [range, ("If-Range", validator)])?.status
        report.other = trial.answer(to: [range, ("If-Range", other)])?.status
        return report
    }
}

extension RangeReport {
    /// Whether the file has no bytes, so that nothing can be measured.
    var areOfEmptyFile: Bool { plain.map { $0.status == 416 || $0.length == 0 } ?? false }
}

/// Judges whether interrupted downloads can resume.
enum RangeChecks {
    private typealias Words = ServerTrialFindings
    private static let topic: SafeText = "ranges"

    static func finding(_ report: RangeReport) -> Finding {
        guard let plain = report.plain else { return .note(topic, Words.noAnswer, advice: Words.tryAgain) }
        switch plain.status {
        case 206: break
        case 416: return Finding(topic: topic, fact: Words.emptyFile)
        case 200 where plain.length == 0: return Finding(topic: topic, fact: Words.emptyFile)
        case 200: return .note(topic, Words.noRanges, advice: Words.startsAgain)
        case 401: return .wrong(topic, Words.status(401), advice: Words.giveCredentials)
        default: return .note(topic, Words.status(plain.status), advice: Words.startsAgain)
        }
        guard let validator = plain.validator else {
            return .note(topic, Words.noValidator, advice: Words.verifyOverlap)
        }
        guard report.matching == 206 else {
            return .note(topic, Words.refusesCondition, advice: Words.startsAgain)
        }
        guard report.other == 200 else {
            return .note(topic, Words.ignoresCondition, advice: Words.comparesItself)
        }
        return Finding(topic: topic, fact: Words.supported(isTag(validator) ? "ETag" : "Last-Modified"))
    }

    static func isTag(_ validator: String) -> Bool { validator.hasPrefix("\"") }
}
