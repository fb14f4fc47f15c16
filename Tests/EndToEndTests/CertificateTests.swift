import Foundation
import Glibc
import LoopbackServer
import Testing

/// A server whose certificate nobody vouches for.
@Suite("Certificates", .timeLimit(.minutes(1)), .enabled(if: SecureServer.isAvailable))
struct CertificateTests {
    @Test("A certificate that nobody vouches for fails with status 5, at once and without a byte on disk")
    func selfSigned() async throws {
        let folder = try ScratchFolder()
        let server = try await SecureServer()
        let result = try await ProgramRun.finished([server.url], in: folder)
        TroubleTests.expectFailed(result, saying: "certificate", status: 5)
        #expect(!result.messages.contains("retrying"), "\(result.messages)")
        #expect(try folder.names.isEmpty)
    }

    @Test("A server that never says a word of TLS is given up after the connect timeout")
    func silentServer() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let url = server.url("/file").replacingOccurrences(of: "http://", with: "https://")
        let result = try await ProgramRun.finished(["--retries", "0", "--connect-timeout", "1", url], in: folder)
        TroubleTests.expectFailed(result, saying: "did not answer in time", status: 1)
        #expect(try folder.names.isEmpty)
    }
}
