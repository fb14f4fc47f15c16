import Foundation
import Glibc
import Testing

@testable import SessionCore

@Suite("Files as bodies")
struct BodyFileTests {
    private let temporary: StorageTemporaryFolder
    private var path: String { temporary.path + "/body" }

    init() throws {
        temporary = try StorageTemporaryFolder()
        try temporary.write("0123456789", to: "body")
        // Long ago, so that the change of a test has another time, however coarse the system's clock is.
        var times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 1_000, tv_nsec: 0)]
        try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }

    /// What another program does to the file while it is sent.
    enum Change: String, CaseIterable {
        case nothing, overwritten, longer, shorter, renamed, mode, replaced
    }

    @Test("A file that is changed while it is sent is an error before its last byte", arguments: Change.allCases)
    func changes(change: Change) throws {
        let file = try BodyFile(path: path)
        var buffer = [UInt8](repeating: 0, count: 6)
        var sent = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        switch change {
        case .nothing: break
        case .overwritten:
            let other = open(path, O_WRONLY)
            #expect(pwrite(other, "x", 1, 8) == 1)
            close(other)
        case .longer:
            let other = open(path, O_WRONLY | O_APPEND)
            #expect(write(other, "x", 1) == 1)
            close(other)
        case .shorter: #expect(truncate(path, 8) == 0)
        case .renamed: #expect(rename(path, path + "2") == 0)
        case .mode: #expect(chmod(path, 0o640) == 0)
        case .replaced:
            // The open file is the old one, whole.
            try temporary.write("other", to: "new")
            #expect(rename(temporary.path + "/new", path) == 0)
        }
        var failure: SessionError?
        do throws(SessionError) {
            while sent < 10 {
                var count = 0
                var problem: SessionError?
                buffer.withUnsafeMutableBytes { bytes in
                    do throws(SessionError) { count = try file.read(into: bytes, at: Int64(sent)) } catch {
                        problem = error
                    }
                }
                if let problem { throw problem }
                sent += count
            }
        } catch { failure = error }
        switch change {
        case .nothing, .renamed, .mode, .replaced: #expect(failure == nil && sent == 10)
        case .overwritten, .longer:
            #expect(failure?.code == .bodyUnreadable && failure?.message.contains("changed while being sent") == true)
            #expect(sent < 10)
        case .shorter: #expect(failure?.code == .bodyUnreadable && sent < 10)
        }
    }

    /// Everything that a source gives; `hasBytes` is signalled when one that had none has some.
    private func bytes(
        of source: any BodySource, hasBytes: DispatchSemaphore = DispatchSemaphore(value: 0)
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 7)
        while true {
            switch buffer.withUnsafeMutableBytes({ source.read(into: $0) }) {
            case .bytes(let count): bytes += buffer.prefix(count)
            case .end: return bytes
            case .wait: hasBytes.wait()
            case .failed(let error): throw error
            }
        }
    }

    @Test(
        "What the kernel makes while it is read has no size, and is read until its end, twice too",
        arguments: ["/proc/version", "/proc/sys/kernel/ostype", "/sys/kernel/mm/transparent_hugepage/enabled"])
    func kernelFiles(path: String) throws {
        guard let expected = FileManager.default.contents(atPath: path).map({ Array($0) }), !expected.isEmpty else {
            return
        }
        #expect(try BodyFile.length(of: path) == nil)
        #expect(BodySpecification.file(path: path).isReplayable)
        for _ in 0..<2 {
            let source = try FileBodySource.source(path: path, wake: {})
            #expect(source.length == nil)
            #expect(try bytes(of: source) == expected)
            #expect(source.seek(to: 0))
            #expect(try bytes(of: source) == expected)
        }
        let pieces = try PiecesBodySource([.bytes([1]), .file(path: path), .bytes([2])], wake: {})
        #expect(pieces.length == nil)
        #expect(try bytes(of: pieces) == [1] + expected + [2])
    }

    @Test("A pipe is read until its writer has gone, and only once")
    func pipe() throws {
        let pipe = temporary.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(try BodyFile.length(of: pipe) == nil)
        #expect(!BodySpecification.file(path: pipe).isReplayable)
        #expect(!BodySpecification.pieces([.bytes([1]), .file(path: pipe)]).isReplayable)
        let hasBytes = DispatchSemaphore(value: 0)
        let source = try FileBodySource.source(path: pipe) { hasBytes.signal() }
        #expect(source.length == nil && !source.canRewind)
        let writer = open(pipe, O_WRONLY | O_CLOEXEC)
        let text = Array("what a command writes".utf8)
        #expect(write(writer, text, text.count) == text.count)
        close(writer)
        #expect(try bytes(of: source, hasBytes: hasBytes) == text)
    }

    @Test("A folder is no body, and an empty file is one without a byte")
    func others() throws {
        let error = #expect(throws: SessionError.self) { try BodyFile.length(of: temporary.path) }
        #expect(error?.code == .bodyUnreadable)
        try temporary.write("", to: "empty")
        #expect(try BodyFile.length(of: temporary.path + "/empty") == 0)
    }
}
