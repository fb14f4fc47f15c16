import Foundation

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

    /// The variables that lead a program there.
    var environment: [String: String] {
        ["XDG_STATE_HOME": folder.path(of: "state"), "XDG_CONFIG_HOME": folder.path(of: "config")]
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
