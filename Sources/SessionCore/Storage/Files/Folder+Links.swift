import Glibc
import SessionSupport

/// Links, and folders that are moved while they are open.
extension Folder {
    /// The folder and the name that a name leads to: itself, unless it is a link of this user's.
    func leading(from name: String) throws(SessionError) -> (folder: Folder, name: String) {
        guard status(name)?.kind == .symbolicLink else { return (self, name) }
        // By the open folder, whatever its path has come to mean.
        switch LinkTarget.follow("/proc/self/fd/\(descriptor)/\(name)") {
        case .descriptor: throw obstacle(at: name)
        case .name(let target, let place):
            let folder = try Folder(path: place, creating: false)
            guard Folder.isComponent(target) else { throw obstacle(at: name) }
            return folder.identity == identity && target == name ? (self, name) : (folder, target)
        }
    }

    /// The path of a file that was placed here, also where the folder was moved since it was opened.
    func placedPath(of name: String) -> String { path(of: name, in: movedPath) }

    /// The path of a file in a folder that was moved to a path; nil for one that is where it was.
    func path(of name: String, in movedPath: String?) -> String {
        movedPath.map { LinkTarget.joined($0, name) } ?? path(of: name)
    }

    /// Where the folder has been moved to since it was opened; nil where it is still.
    var movedPath: String? {
        var raw = stat()
        if stat(path, &raw) == 0, FileStatus(raw).identity == identity { return nil }
        return LinkTarget.destination(of: "/proc/self/fd/\(descriptor)")
    }

    /// The error for a name that no file can take.
    func obstacle(at name: String) -> SessionError {
        SessionError(.destinationExists, FileErrors.save(path(of: name), FileReasons.special))
    }
}
