import Foundation
import Testing

@testable import SessionCore

/// The library's sentences reach whoever asks an error for its words as Foundation has it.
@Suite("Descriptions of errors")
struct ErrorDescriptionTests {
    private static let sentence = "The server refused the connection; is it running?"

    @Test("The sentence is what Foundation shows", arguments: SessionError.Code.allCases)
    func sessionError(code: SessionError.Code) {
        let error: any Error = SessionError(code, Self.sentence)
        #expect(error.localizedDescription == Self.sentence)
        #expect((error as NSError).localizedDescription == Self.sentence)
        #expect("\(error)" == Self.sentence)
    }

    @Test("A serializer's sentence too")
    func serializationError() {
        let error: any Error = ResponseSerializationError(.malformedBody("no end"), head: nil, data: Data())
        #expect(error.localizedDescription == "Request failed: the body could not be read: no end")
        #expect((error as NSError).localizedDescription == error.localizedDescription)
    }

    @Test("Every public error of the library has a sentence for Foundation")
    func everyPublicError() throws {
        let files = try SourceTree.files(under: "Sources/SessionCore")
        let lines = files.flatMap(\.lines)
        let names = lines.compactMap { line in
            line.firstMatch(of: /^ *public (?:struct|enum|final class) (\w+):.*\bError\b/).map { String($0.1) }
        }
        #expect(names.sorted() == ["RequestSerializationError", "ResponseSerializationError", "SessionError"])
        for name in names { #expect(lines.contains("extension \(name): LocalizedError {"), "\(name)") }
    }
}
