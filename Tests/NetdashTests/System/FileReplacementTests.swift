import Foundation
import Testing

@testable import TransferService
@testable import netdash

@Suite("Files that are written whole or not at all", .timeLimit(.minutes(1)))
struct FileReplacementTests {
    private static func inFolder(_ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("A new file is its user's alone, and one that is there keeps its mode where that is asked for")
    func modes() throws {
        try Self.inFolder { (folder: String) throws in
            let path = folder + "/file"
            #expect(FileReplacement.write(Array("one".utf8), to: path, access: .kept) == nil)
            #expect(try text(path) == "one")
            #expect(try mode(path) == 0o600)
            #expect(chmod(path, 0o644) == 0)
            #expect(FileReplacement.write(Array("two".utf8), to: path, access: .kept) == nil)
            #expect(try text(path) == "two")
            #expect(try mode(path) == 0o644)
            #expect(FileReplacement.write(Array("three".utf8), to: path, access: .user) == nil)
            #expect(try text(path) == "three")
            #expect(try mode(path) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
        }
    }

    @Test("A link stays a link, and leads to what was written")
    func link() throws {
        try Self.inFolder { (folder: String) throws in
            let (link, file) = (folder + "/link", folder + "/file")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
            try "old".write(toFile: file, atomically: false, encoding: .utf8)
            #expect(FileReplacement.write(Array("new".utf8), to: link, access: .user) == nil)
            let destination = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            #expect(destination == "file")
            #expect(try text(file) == "new")
        }
    }

    @Test("A pipe or device is written to and stays what it is")
    func pipe() throws {
        try Self.inFolder { (folder: String) throws in
            let path = folder + "/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            #expect(FileReplacement.write([1], to: path, access: .user) == ENXIO)
            let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            defer { close(reader) }
            #expect(FileReplacement.write(Array("jar".utf8), to: path, access: .user) == nil)
            var bytes = [UInt8](repeating: 0, count: 8)
            #expect(read(reader, &bytes, bytes.count) == 3)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        }
    }

    @Test("What cannot be written is an error, and nothing is left behind")
    func refusals() throws {
        try Self.inFolder { (folder: String) throws in
            #expect(FileReplacement.write([1], to: folder, access: .user) == EISDIR)
            #expect(FileReplacement.write([1], to: folder + "/none/file", access: .user) == ENOENT)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }
}
