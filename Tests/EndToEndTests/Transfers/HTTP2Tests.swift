import CLinux
import Foundation
import Glibc
import TerminalTestSupport
import Testing

/// Transfers over HTTP/2, whose connection belongs to several of them at once.
@Suite("HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2Tests {
    /// The byte at each place of the server's files.
    private static func content(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 >> 8) }
    }

    @Test("A list of files goes over as many connections as files come at once, and no file is asked for twice")
    func list() async throws {
        let (folder, server) = (try ScratchFolder(), try await StreamServer())
        let urls = (0..<60).map { server.url("whole/20000/\($0)") }
        let result = try await ProgramRun.finished(
            server.options + ["--http2", "-j", "4"] + urls, in: folder)
        #expect(result.status == 0, "\(result.messages)")
        let expected = Self.content(20_000)
        #expect((0..<60).allSatisfy { folder.bytes(of: "\($0)") == expected })
        let requests = try server.requests
        #expect(requests.count == 60)
        #expect(Set(requests.map(\.connection)).count <= 4)
    }

    @Test("A stream that is reset in the middle is taken up where it broke", arguments: ["reset", "away"])
    func broken(fault: String) async throws {
        let (folder, server) = (try ScratchFolder(), try await StreamServer())
        let urls = (0..<6).map { server.url("\(fault)/400000/150000/\($0)") }
        let result = try await ProgramRun.finished(
            server.options + ["--http2", "-j", "3"] + urls, in: folder)
        #expect(result.status == 0, "\(result.messages)")
        let expected = Self.content(400_000)
        #expect((0..<6).allSatisfy { folder.bytes(of: "\($0)") == expected })
        #expect(try server.requests.contains { $0.start > 0 })
        #expect(try folder.parts.isEmpty)
    }
}

/// A server of HTTP/2, which `http2_server.py` describes.
final class StreamServer {
    /// A request that it has had.
    struct Request {
        var connection: Int
        var path: String
        var start: Int
    }

    private let folder: ScratchFolder
    private let certificate: String
    private let process: pid_t
    private let output: Int32
    private let port: String

    init() async throws {
        folder = try ScratchFolder()
        let made = try SecureServer.makeCertificate(in: folder)
        certificate = made.certificate
        output = cl_memfd("requests")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Support/http2_server.py").path
        process = try Program.start(
            ["/usr/bin/python3", "-B", script, made.certificate, made.key], environment: [:], output: output)
        let file = output
        port = try await waitUntil("the server's port") { try Self.lines(of: file).first }
    }

    deinit {
        kill(process, SIGKILL)
        _ = Program.wait(for: process)
        close(output)
    }

    /// What the program needs to believe it.
    var options: [String] { ["--cacert", certificate] }

    func url(_ path: String) -> String { "https://127.0.0.1:\(port)/\(path)" }

    /// What it was asked for, in order.
    var requests: [Request] {
        get throws {
            try Self.lines(of: output).dropFirst().map { line in
                let words = line.split(separator: " ")
                return Request(
                    connection: try #require(Int(words[0])), path: String(words[1]), start: try #require(Int(words[2])))
            }
        }
    }

    /// Its whole lines until now.
    private static func lines(of file: Int32) throws -> [String] {
        let text = try String(contentsOfFile: "/proc/self/fd/\(file)", encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
