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
        let requests = try await fetch(60, atOnce: 4, of: 20_000, "whole/20000")
        #expect(requests.count == 60)
        #expect(Set(requests.map(\.connection)).count <= 4)
    }

    @Test("A stream that is reset in the middle is taken up where it broke", arguments: ["reset", "away"])
    func broken(fault: String) async throws {
        let requests = try await fetch(6, atOnce: 3, of: 400_000, "\(fault)/400000/150000")
        #expect(requests.contains { $0.start > 0 })
    }

    @Test("Frames without a byte of the body are no movement: the transfer has stalled")
    func emptyFrames() async throws {
        let (folder, server) = (try ScratchFolder(), try await StreamServer())
        let result = try await ProgramRun.finished(
            server.options + ["--http2", "--stall-timeout", "1", "--retries", "0", server.url("empty/400000/1000/a")],
            in: folder)
        #expect(result.status == 1, "\(result.messages)")
        #expect(result.messages.contains("stopped sending"), "\(result.messages)")
    }

    /// Has the program fetch files of a length below a path, and answers what the server was asked for; all of them have to
    /// arrive whole, and nothing may be left beside them.
    private func fetch(
        _ count: Int, atOnce: Int, of length: Int, _ path: String
    ) async throws -> [StreamServer.Request] {
        let (folder, server) = (try ScratchFolder(), try await StreamServer())
        let names = (0..<count).map(String.init)
        let result = try await ProgramRun.finished(
            server.options + ["--http2", "-j", "\(atOnce)"] + names.map { server.url("\(path)/\($0)") }, in: folder)
        #expect(result.status == 0, "\(result.messages)")
        let expected = Self.content(length)
        #expect(names.allSatisfy { folder.bytes(of: $0) == expected })
        #expect(try folder.names == names.sorted())
        return try server.requests
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
