import Glibc
import Testing

@testable import SessionCore

/// A folder of its own for one test, removed with everything in it.
final class StorageTemporaryFolder {
    let path: String
    let folder: Folder

    init(in parent: String = "/tmp") throws {
        var template = Array("\(parent)/sessioncore-storage-XXXXXX".utf8CString)
        path = try template.withUnsafeMutableBufferPointer { buffer in
            let base = try #require(buffer.baseAddress)
            try #require(mkdtemp(base) != nil)
            return String(cString: base)
        }
        folder = try Folder(path: path)
    }

    /// A folder of another file system than /tmp; nil where this machine has none.
    static let otherFileSystem: String? = {
        var here = stat()
        var there = stat()
        guard stat("/tmp", &here) == 0, stat("/dev/shm", &there) == 0, here.st_dev != there.st_dev,
            access("/dev/shm", W_OK) == 0
        else { return nil }
        return "/dev/shm"
    }()

    deinit { Self.removeAll(in: folder, path: path) }

    private static func removeAll(in folder: Folder, path: String) {
        for name in (try? folder.names()) ?? [] {
            if folder.status(name)?.kind == .folder,
                let inner = try? Folder(path: folder.path(of: name), creating: false)
            {
                removeAll(in: inner, path: inner.path)
            } else {
                unlinkat(folder.descriptor, name, 0)
            }
        }
        rmdir(path)
    }

    /// Every name in the folder, sorted.
    func names() throws -> [String] { try folder.names().sorted() }

    func write(_ text: String, to name: String) throws {
        let file = folder.open(name, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = Array(text.utf8)
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
    }

    func read(_ name: String) throws -> String {
        let file = folder.open(name, flags: O_RDONLY)
        try #require(file >= 0, "\(name) cannot be opened")
        defer { close(file) }
        return String(decoding: try SmallFile.read(file, limit: 1 << 20, path: name), as: UTF8.self)
    }
}

extension PartFile {
    /// Writes text at an offset.
    func write(_ text: String, at offset: Int64) throws {
        try Array(text.utf8).withUnsafeBytes { try write($0, at: offset) }
    }
}
