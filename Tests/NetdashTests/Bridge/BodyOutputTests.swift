import Foundation
import Glibc
import SessionCore
import Testing

@testable import Dashboard
@testable import TransferService
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
        #expect(output.end(isComplete: true) == nil)
        #expect(try String(contentsOfFile: folder + "/body", encoding: .utf8) == "new")
        #expect(names() == ["body"])
    }

    @Test("What the disk refuses is the disk's failure, as for a download")
    func refused() {
        func category(_ failure: BodyOutput.Failure) -> TransferFailure.Category {
            TransferFailure(SessionError(TaskFactory.code(of: failure), "x")).category
        }
        for number in [EROFS, ENOSPC, EDQUOT] { #expect(category(.system(errno: number)) == .disk) }
        #expect(category(.system(errno: EACCES)) == .ordinary && category(.notAFile) == .ordinary)
    }

    @Test("A pipe, or a link to one, takes the body and stays a pipe", arguments: ["pipe", "link"])
    func pipe(_ name: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #require(mkfifo(folder + "/pipe", 0o600) == 0)
        try #require(symlink("pipe", folder + "/link") == 0)
        let output = try BodyOutput.file(folder + "/" + name)
        let reader = open(folder + "/pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        #expect(output.write(Array("body".utf8)) == nil)
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &bytes, bytes.count) == 4 && bytes.starts(with: Array("body".utf8)))
        #expect(output.end(isComplete: true) == nil)
        #expect(read(reader, &bytes, bytes.count) == 0)
        #expect(names().sorted() == ["link", "pipe"])
        var status = stat()
        #expect(lstat(folder + "/pipe", &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test("A folder is no place for a body")
    func folderAtTheName() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: BodyOutput.Failure.notAFile) { _ = try BodyOutput.file(folder) }
    }

    @Test("One of the program's own open files is written to as it stands, and not replaced")
    func ownDescriptor() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = open(folder + "/log", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        #expect(write(file, "before ", 7) == 7)
        let output = try BodyOutput.file("/dev/fd/\(file)")
        #expect(output.write(Array("body".utf8)) == nil && output.end(isComplete: true) == nil)
        #expect(write(file, " behind", 7) == 7)
        #expect(try String(contentsOfFile: folder + "/log", encoding: .utf8) == "before body behind")
        let path = folder + "/failed"
        try #require(symlink("/proc/self/fd/\(file)", path) == 0)
        #expect(FailedList.write([Job(kind: .download, url: "http://h/x")], to: path) == nil)
        #expect(try String(contentsOfFile: folder + "/log", encoding: .utf8).hasSuffix("behindhttp://h/x\n"))
        #expect(names().sorted() == ["failed", "log"])
    }

    @Test("Nothing is made before the first byte, nor left of a body that is not whole", arguments: [true, false])
    func nothingLeft(isWritten: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let output = try BodyOutput.file(folder + "/body")
            #expect(names().isEmpty)
            if isWritten {
                #expect(output.write([1]) == nil)
                #expect(names().count == 1)
                #expect(output.end(isComplete: false) == nil)
            }
        }
        #expect(names().isEmpty)
    }

    @Test("What is overwritten keeps its mode, and a link to it stays a link")
    func kept() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "old".write(toFile: folder + "/real", atomically: false, encoding: .utf8)
        #expect(chmod(folder + "/real", 0o640) == 0 && symlink("real", folder + "/link") == 0)
        let output = try BodyOutput.file(folder + "/link")
        #expect(output.write(Array("new".utf8)) == nil && output.end(isComplete: true) == nil)
        #expect(try String(contentsOfFile: folder + "/real", encoding: .utf8) == "new")
        var status = stat()
        #expect(stat(folder + "/link", &status) == 0 && status.st_mode & 0o7777 == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == "real")
        #expect(names().sorted() == ["link", "real"])
    }

    @Test("A device takes the body and stays a device", arguments: [("/dev/null", nil), ("/dev/full", ENOSPC)])
    func device(_ path: String, _ problem: Int32?) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A link, so that what would replace the device replaces the link.
        try #require(symlink(path, folder + "/link") == 0)
        let output = try BodyOutput.file(folder + "/link")
        #expect(output.write(Array("body".utf8)) == problem.map { .system(errno: $0) })
        #expect(output.end(isComplete: true) == problem.map { .system(errno: $0) })
        #expect(names() == ["link"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == path)
    }

    @Test("A pipe that took the name meanwhile stays")
    func latePipe() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = try BodyOutput.file(folder + "/body")
        #expect(output.write(Array("new".utf8)) == nil)
        try #require(mkfifo(folder + "/body", 0o600) == 0)
        #expect(output.end(isComplete: true) != nil)
        #expect(names() == ["body"])
        var status = stat()
        #expect(lstat(folder + "/body", &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }
}

@Suite("Heads of responses in front of their bodies")
struct ResponseHeadOutputTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func head(_ status: Int, _ reason: String = "OK") -> ResponseHead {
        var head = ResponseHead(statusCode: status, reasonPhrase: reason)
        head.headers.append(name: "Set-Cookie", value: "a=\u{1B}[2J")
        head.headers.append(name: "X", value: "y")
        return head
    }

    private func written(_ body: (BodyOutput) -> Void) throws -> String {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = try BodyOutput.file(folder + "/body", wantsHead: true)
        body(output)
        #expect(output.end(isComplete: true) == nil)
        return try String(contentsOfFile: folder + "/body", encoding: .utf8)
    }

    @Test("The head stands there once, as it came, in front of the first byte")
    func order() throws {
        let text = try written { output in
            output.setHead(head(503))
            output.setHead(head(200))
            #expect(output.write(Array("bo".utf8)) == nil)
            output.setHead(head(500))
            #expect(output.write(Array("dy".utf8)) == nil)
        }
        #expect(text == "HTTP/1.1 200 OK\r\nSet-Cookie: a=\u{1B}[2J\r\nX: y\r\n\r\nbody")
    }

    @Test("A response without a body has a head all the same, and without a reason no blank at its end")
    func noBody() throws {
        let text = try written { $0.setHead(ResponseHead(statusCode: 204, version: .http2)) }
        #expect(text == "HTTP/2 204\r\n\r\n")
    }

    @Test("Where nobody asked for it there is none")
    func unwanted() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let output = try BodyOutput.file(folder + "/body")
        output.setHead(head(200))
        #expect(output.write(Array("body".utf8)) == nil)
        #expect(output.end(isComplete: true) == nil)
        #expect(try String(contentsOfFile: folder + "/body", encoding: .utf8) == "body")
    }

    @Test("On a terminal nothing in it is obeyed, and secrets are masked")
    func terminal() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let terminal = try TestPseudoterminal()
        let descriptor = open(terminal.path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let output = BodyOutput.standardOutput(descriptor, wantsHead: true)
        var head = head(200, "\u{1B}]0;x")
        head.headers.append(name: "Y", value: "\u{9B}1m")
        output.setHead(head)
        #expect(output.write(Array("body".utf8)) == nil)
        #expect(output.end(isComplete: true) == nil)
        let shown = String(decoding: terminal.read(), as: UTF8.self).replacing("\r\n", with: "\n")
        #expect(shown == "HTTP/1.1 200 ␛]0;x\nSet-Cookie: ***\nX: y\nY: \u{FFFD}1m\n\nbody\n")
    }
}

@Suite("Bodies on a terminal")
struct TerminalTextTests {
    /// What a terminal is sent for pieces of a body; nil once one of them is no text.
    private func shown(_ pieces: [[UInt8]]) -> [String]? {
        var text = TerminalText()
        var result: [String] = []
        for piece in pieces {
            guard let bytes = text.add(piece) else { return nil }
            result.append(String(decoding: bytes, as: UTF8.self))
        }
        return result + [String(decoding: text.end(), as: UTF8.self)]
    }

    @Test(
        "Text comes out by whole lines, the last with the break it may lack, and nothing in it is obeyed",
        arguments: [
            (["a\n"], ["a\n", ""]),
            (["a", "b\nc"], ["", "ab\n", "c\n"]),
            (["a\r\n\tb\r", "\nc\n"], ["a\n", "\tb\nc\n", ""]),
            (["\u{1B}[2J\u{9B}\u{202E}\u{7}x\n"], ["␛[2J\u{FFFD}·␇x\n", ""]),
            (["Müll\r hier\n"], ["Müll␍ hier\n", ""]),
            ([""], ["", ""]),
            (["\n\n"], ["\n\n", ""]),
        ] as [([String], [String])])
    func lines(pieces: [String], expected: [String]) {
        #expect(shown(pieces.map { Array($0.utf8) }) == expected)
    }

    @Test("Wherever the pieces of a body end, the same text comes out", arguments: 1...7)
    func pieces(length: Int) {
        let body = Array("{\"ä\": \"日本語\",\r\n\t\"b\": \"\u{1B}]0;evil\u{7}\"}".utf8)
        let pieces = stride(from: 0, to: body.count, by: length).map {
            Array(body[$0..<min($0 + length, body.count)])
        }
        #expect(shown(pieces)?.joined() == "{\"ä\": \"日本語\",\n\t\"b\": \"␛]0;evil␇\"}\n")
    }

    @Test("A line without an end comes out whole, in pieces and without a character cut in two")
    func longLine() {
        let body = Array(String(repeating: "ä日", count: 20_000).utf8)
        let pieces = stride(from: 0, to: body.count, by: 1_111).map {
            Array(body[$0..<min($0 + 1_111, body.count)])
        }
        let texts = shown(pieces)
        #expect(texts?.joined() == String(repeating: "ä日", count: 20_000) + "\n")
        #expect(texts?.contains { !$0.isEmpty && !$0.hasSuffix("\n") } == true)
    }

    @Test("Bytes that are not UTF-8 are marked, and a body with a NUL is no text")
    func otherBytes() {
        #expect(shown([[0x66, 0xFC, 0x72, 0x0A]]) == ["f\u{FFFD}r\n", ""])
        #expect(shown([Array("ab\n".utf8), [0x50, 0x4B, 0x00]]) == nil)
    }

    @Test("Bodies that come at the same time are written one after another, large ones too", arguments: [10, 3 << 20])
    func turns(count: Int) throws {
        let path = FileManager.default.temporaryDirectory.path + "/netdash-turns-\(UUID().uuidString)"
        defer { unlink(path) }
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        let turns = BodyTurns()
        let bodies = (0..<3).map { _ in BodyOutput.standardOutput(descriptor, turns: turns) }
        func piece(_ index: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "a") + UInt8(index), count: count) }
        for _ in 0..<2 {
            for (index, body) in bodies.enumerated() { #expect(body.write(piece(index)) == nil) }
        }
        // The last one ends first, and the one in the middle goes on when its turn has come.
        for index in [2, 0] { #expect(bodies[index].end(isComplete: true) == nil) }
        #expect(bodies[1].write(piece(1)) == nil && bodies[1].end(isComplete: true) == nil)
        let expected = piece(0) + piece(0) + piece(1) + piece(1) + piece(1) + piece(2) + piece(2)
        let isRight = try Data(contentsOf: URL(fileURLWithPath: path)) == Data(expected)
        #expect(isRight && turns.failure == nil)
    }
}
