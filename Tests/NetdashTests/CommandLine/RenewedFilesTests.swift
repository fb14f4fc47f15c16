import Foundation
import SessionCore
import SessionSupport
import Testing

@testable import TransferService

/// Files of cookies and passwords that appear or change while a program runs.
@Suite("Renewed files of cookies and passwords")
struct RenewedFilesTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("renewed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func request(_ option: JobOption.Value, _ identity: JobIdentity) throws -> TransferRequest {
        var job = Job(kind: .data, url: "http://h.example/")
        job.options = [option]
        var request = TransferRequest(url: job.url)
        try identity.complete(&request, of: job)
        return request
    }

    private func cookie(_ value: String) -> String { "h.example\tFALSE\t/\tFALSE\t0\tsid\t\(value)\n" }

    @Test("A cookie file that could not be read is read once it can be, and again when it has changed")
    func cookies() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, identity) = (folder.path + "/cookies", JobIdentity(environment: [:]))
        func sent() throws -> String? {
            try request(JobOption.Value(.cookie, path), identity).options?.cookies?.field(for: "http://h.example/")
        }
        for _ in 0..<2 { #expect(throws: JobIdentity.Problem.self) { try sent() } }
        try cookie("first").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try sent() == "sid=first")
        // The server's own cookie counts until the file is another one.
        let jar = try #require(try request(JobOption.Value(.cookie, path), identity).options?.cookies as? CookieJar)
        jar.add(file: cookie("ofServer"))
        #expect(try sent() == "sid=ofServer")
        try cookie("other").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try sent() == "sid=other")
        try cookie("longer than that").write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try sent() == "sid=longer than that")
        #expect(identity.warnings.isEmpty)
    }

    @Test("A file of passwords is read again when it has changed")
    func netrc() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, identity) = (folder.path + "/netrc", JobIdentity(environment: [:]))
        func sent() throws -> String? {
            try request(JobOption.Value(.netrcFile, path), identity).options?.credentials?.password
        }
        for password in ["first", "second"] {
            let text = "machine h.example login me password \(password)\n"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            for _ in 0..<2 { #expect(try sent() == password) }
        }
        #expect(identity.warnings.count <= 1)
    }

    @Test("The cookies of a profile that was missing are read once it is there")
    func profile() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let identity = JobIdentity(environment: ["HOME": folder.path])
        let option = JobOption.Value(.cookiesFrom, "firefox")
        func sent() throws -> String? {
            try request(option, identity).options?.cookies?.field(for: "http://h.example/")
        }
        for _ in 0..<2 { #expect(throws: JobIdentity.Problem.self) { try sent() } }
        try FirefoxCookiesTests.write(
            [FirefoxCookiesTests.Row(name: "own")], to: folder.path + "/.mozilla/firefox/abc.default")
        #expect(try sent() == "own=1")
    }
}
