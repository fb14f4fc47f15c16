import Foundation
import Testing

/// Locales that the environment names and the system does not have.
@Suite("Missing locales", .timeLimit(.minutes(1)))
struct MissingLocaleTests {
    @Test("A locale of another character set that is not installed gives no UTF-8", arguments: [true, false])
    func missingLocale(isOther: Bool) async throws {
        let folder = try ScratchFolder()
        let locale = isOther ? "de_XX.ISO-8859-1" : "de_XX.UTF-8"
        let report = try await ProgramRun.finished(["doctor"], in: folder, environment: ["LANG": locale, "LC_ALL": ""])
        #expect(report.text.contains(locale) == isOther, "\(report.text)")
    }
}
