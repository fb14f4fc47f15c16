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

    @Test("The sentence about a certificate is as precise for Foundation as the message")
    func certificate() {
        let message = TrustErrors.notTrusted("host", TrustReasons.selfSigned)
        let failure = SessionError(.certificate, message, failingURL: "https://host/")
        let error: any Error = failure
        #expect(error.localizedDescription == message && (error as NSError).localizedDescription == message)
        #expect(failure.urlError.localizedDescription == message)
    }

    /// The two numbers are Apple's; the constants of Foundation on Linux are one off from its own `URLError.Code`.
    @Test(
        "As an NSError it has the URL loading system's domain and codes",
        arguments: [
            (SessionError.Code.cancelled, NSURLErrorCancelled), (.invalidURL, NSURLErrorBadURL),
            (.unsupportedScheme, NSURLErrorUnsupportedURL), (.unknownHost, NSURLErrorCannotFindHost),
            (.connectionRefused, NSURLErrorCannotConnectToHost), (.connectionLost, NSURLErrorNetworkConnectionLost),
            (.networkUnreachable, NSURLErrorNotConnectedToInternet), (.timedOut, NSURLErrorTimedOut),
            (.stalled, NSURLErrorTimedOut), (.certificate, -1202),
            (.http, NSURLErrorBadServerResponse), (.tooManyRedirects, NSURLErrorHTTPTooManyRedirects),
            (.tls, -1200), (.sessionInvalidated, NSURLErrorUnknown),
        ] as [(SessionError.Code, Int)])
    func foundationCodes(_ code: SessionError.Code, _ number: Int) throws {
        var failure = SessionError(code, Self.sentence, failingURL: "http://example.org/a b")
        failure.underlying = UnderlyingError(CocoaError(.fileNoSuchFile))
        failure.peerCertificates = [[1, 2]]
        let error: any Error = failure
        let foundation = error as NSError
        #expect(foundation.domain == NSURLErrorDomain && foundation.code == number)
        #expect(foundation.userInfo["NSErrorFailingURLStringKey"] as? String == "http://example.org/a b")
        #expect(foundation.userInfo[NSURLErrorFailingURLErrorKey] is URL)
        #expect(foundation.userInfo[SessionError.peerCertificatesKey] as? [Data] == [Data([1, 2])])
        let underlying = try #require(foundation.userInfo[NSUnderlyingErrorKey] as? any Error) as NSError
        #expect(underlying.domain == NSCocoaErrorDomain)
        // And what comes from such an object is told by its code as well.
        #expect(failure.urlError.code.rawValue == number)
        #expect((error as? SessionError) == failure)
    }

    @Test("A serializer's sentence too")
    func serializationError() {
        let error: any Error = ResponseSerializationError(.malformedBody("no end"), head: nil, data: Data())
        #expect(error.localizedDescription == "Request failed: the body could not be read: no end")
        #expect((error as NSError).localizedDescription == error.localizedDescription)
    }

    @Test("Every public error of the library has a sentence for Foundation")
    func everyPublicError() throws {
        let files = try ["Sources/SessionCore", "Sources/TransferValues"].flatMap { try SourceTree.files(under: $0) }
        let lines = files.flatMap(\.lines)
        let names = lines.compactMap { line in
            line.firstMatch(of: /^ *public (?:struct|enum|final class) (\w+):.*\bError\b/).map { String($0.1) }
        }
        #expect(names.sorted() == ["RequestSerializationError", "ResponseSerializationError", "SessionError"])
        for name in names { #expect(lines.contains("extension \(name): LocalizedError {"), "\(name)") }
    }
}
