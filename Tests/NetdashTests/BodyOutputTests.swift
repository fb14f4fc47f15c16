import Foundation
import Glibc
import Testing

@testable import Dashboard
@testable import netdash

/// Where the body of a response may be written.
@Suite("Bodies in files")
struct BodyOutputTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    @Test("A body gets its name when it is whole, over an old file")
    func whole() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "old".write(toFile: folder + "/body", atomically: false, encoding: .utf8)
        let output = try BodyOutput.file(folder + "/body")
        #expect(output.write(Array("new".utf8)) == nil)
        #expect(try String(contentsOfFile: folder + "/body", encoding: .utf8) == "old")
        #expect(output.end(isWhole: true) == nil)
        #expect(try String(contentsOfFile: folder + "/body", encoding: .utf8) == "new")
        #expect(names() == ["body"])
    }

    @Test("A pipe, or a link to one, is never replaced by a file", arguments: ["pipe", "link"])
    func pipe(_ name: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #require(mkfifo(folder + "/pipe", 0o600) == 0)
        try #require(symlink("pipe", folder + "/link") == 0)
        #expect(throws: BodyOutput.Failure.self) { _ = try BodyOutput.file(folder + "/" + name) }
        #expect(names().sorted() == ["link", "pipe"])
    }

    @Test("A device takes the body and stays a device", arguments: [("/dev/null", nil), ("/dev/full", ENOSPC)])
    func device(_ path: String, _ problem: Int32?) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A link, so that what would replace the device replaces the link.
        try #require(symlink(path, folder + "/link") == 0)
        let output = try BodyOutput.file(folder + "/link")
        #expect(output.write(Array("body".utf8)) == problem.map { .system(errno: $0) })
        #expect(output.end(isWhole: true) == problem.map { .system(errno: $0) })
        #expect(names() == ["link"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == path)
    }

    @Test("A pipe that took the name meanwhile stays")
    func latePipe() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = try BodyOutput.file(folder + "/body")
        #expect(output.write(Array("new".utf8)) == nil)
        try #require(mkfifo(folder + "/body", 0o600) == 0)
        #expect(output.end(isWhole: true) != nil)
        #expect(names() == ["body"])
        var facts = stat()
        #expect(lstat(folder + "/body", &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
    }
}
