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
            #expect(failure?.code == .bodyUnreadable && failure?.message.contains("was changed while") == true)
            #expect(sent < 10)
        case .shorter: #expect(failure?.code == .bodyUnreadable && sent < 10)
        }
    }
}
