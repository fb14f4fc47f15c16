import Foundation
import Testing

@testable import Dashboard
@testable import TransferService

/// The file of the secrets that a saved session hides.
@Suite("Saved secrets", .timeLimit(.minutes(1)))
struct SavedSecretsTests {
    private let folder: String
    private var path: String { folder + "/test.secrets" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("secrets-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func secrets(keepsNew: Bool = true) throws -> SavedSecrets {
        try #require(SavedSecrets(session: "test", folder: folder, keepsNew: keepsNew))
    }

    private func job(_ query: String) -> Job { Job(kind: .download, url: "https://h.example/f?" + query) }

    @Test("Secrets are read again until their task is removed, also behind half a line")
    func log() throws {
        let first = try secrets()
        first.put(job("token=a"), of: 1)
        first.put(job("token=b"), of: 2)
        first.put(job("page=3"), of: 3)
        first.remove([2])
        first.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("{\"id\":4,".utf8))
        try file.close()
        let second = try secrets(keepsNew: false)
        #expect(second.job(of: 1)?.url == job("token=a").url)
        #expect(second.job(of: 2) == nil && second.job(of: 3) == nil && second.problem == nil)
        // What is known stays known; what is new is not kept.
        second.put(job("token=c"), of: 1)
        second.put(job("token=d"), of: 5)
        second.keep(only: [1, 5])
        second.close()
        let third = try secrets()
        #expect(third.job(of: 1)?.url == job("token=c").url && third.job(of: 5) == nil)
        third.keep(only: [])
        third.close()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(SavedSecrets(session: "test", folder: folder, keepsNew: false) == nil)
    }

    @Test("The file is readable by its user alone, and a link in its place is not followed")
    func safe() throws {
        try Data().write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = try secrets()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.removeItem(atPath: path)
        let other = folder + "/other"
        try Data().write(to: URL(fileURLWithPath: other))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        let linked = try secrets()
        linked.put(job("token=a"), of: 1)
        linked.close()
        #expect(linked.problem != nil)
        #expect(FileManager.default.contents(atPath: other) == Data())
    }

    @Test("A file that cannot be read stays as it is, and is read at the next start")
    func unread() throws {
        let first = try secrets()
        first.put(job("token=a"), of: 1)
        first.close()
        let other = folder + "/other"
        try FileManager.default.moveItem(atPath: path, toPath: other)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
        let second = try secrets()
        #expect(second.problem != nil && second.job(of: 1) == nil)
        second.keep(only: [])
        second.close()
        #expect(FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: other, toPath: path)
        #expect(try secrets().job(of: 1)?.url == job("token=a").url)
    }
}
