import Foundation
import Glibc

/// A folder for one test, removed with everything in it when the test lets go of it.
final class ScratchFolder: Sendable {
    /// The folder's path.
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("netdash-\(UUID().uuidString.prefix(8))", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        path = folder.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of something in the folder.
    func path(of name: String) -> String { path + "/" + name }

    /// What the folder holds, hidden files included, sorted.
    var names: [String] {
        get throws { try Self.names(in: path) }
    }

    /// What another folder holds, sorted.
    static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    /// The data of the parts in the folder, without the files of facts beside them.
    var parts: [String] {
        get throws { try names.filter { $0.hasSuffix(".part") } }
    }

    /// The size of a file.
    func size(of name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path(of: name))[.size] as? Int ?? 0
    }

    /// The bytes of a file; nil when there is none.
    func bytes(of name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(of: name)).map { Array($0) }
    }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = path(of: name)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Writes a text file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }
}

/// A user's folders of a program under test, empty at first: what it saves and what it reads its settings from.
final class UserFolder: Sendable {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// The same folders once more, for a program that is not to change the first ones.
    init(copying other: UserFolder) throws {
        folder = try ScratchFolder()
        for name in try other.folder.names {
            try FileManager.default.copyItem(atPath: other.folder.path(of: name), toPath: folder.path(of: name))
        }
    }

    /// The variables that lead a program there; its tasks run in its own process, because no socket can be made.
    var environment: [String: String] {
        [
            "XDG_STATE_HOME": folder.path(of: "state"), "XDG_CONFIG_HOME": folder.path(of: "config"),
            "XDG_RUNTIME_DIR": folder.path(of: "missing"), "HOME": folder.path(of: "home"),
        ]
    }

    /// The same for programs that share a service.
    func environmentWithService() throws -> [String: String] {
        try FileManager.default.createDirectory(atPath: folder.path(of: "run"), withIntermediateDirectories: true)
        return environment.merging(["XDG_RUNTIME_DIR": folder.path(of: "run")]) { $1 }
    }

    /// The path of something among the saved sessions.
    func path(of name: String) -> String { folder.path(of: "state/netdash/" + name) }

    /// What is saved; empty when nothing ever was.
    var saved: [String] {
        get throws {
            try folder.names.contains("state") ? ScratchFolder.names(in: folder.path(of: "state/netdash")) : []
        }
    }
}

/// An open device or file, closed when the test lets go of it.
final class DeviceFile {
    /// Its descriptor.
    let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw WaitingFailed(description: "\(path) cannot be opened: errno \(errno)") }
    }

    deinit {
        close(descriptor)
    }
}
