import Glibc
import SessionSupport

/// Links, and folders that move while they are open.
extension Folder {
    /// Returns the folder and the name of a name's target: the name itself, unless it is a link of this user's.
    func leading(from name: String) throws(SessionError) -> (folder: Folder, name: String) {
        guard status(name)?.kind == .symbolicLink else { return (self, name) }
        // The path goes through the open folder, so it stays right after a move.
        switch LinkTarget.follow("/proc/self/fd/\(descriptor)/\(name)") {
        case .descriptor: throw obstacle(at: name)
        case .name(let target, let path):
            let folder = try Folder(path: path, creating: false)
            guard Folder.isComponent(target) else { throw obstacle(at: name) }
            return folder.identity == identity && target == name ? (self, name) : (folder, target)
        }
    }

    /// Returns the current path of a file in this folder, even if the folder was moved since it was opened.
    func placedPath(of name: String) -> String { path(of: name, in: movedPath) }

    /// Returns the path of a file in a folder that was moved to a path; nil for an unmoved folder.
    func path(of name: String, in movedPath: String?) -> String {
        movedPath.map { LinkTarget.joined($0, name) } ?? path(of: name)
    }

    /// The folder's current path if it was moved since it was opened; nil if not, and where no path leads to it, as
    /// after its file system was detached.
    var movedPath: String? {
        guard !leads(path), let moved = LinkTarget.destination(of: "/proc/self/fd/\(descriptor)"), leads(moved) else {
            return nil
        }
        return moved
    }

    /// Whether a path leads to this folder.
    private func leads(_ path: String) -> Bool {
        var raw = stat()
        return stat(path, &raw) == 0 && FileStatus(raw).identity == identity
    }

    /// The error for a name whose occupant no file can replace.
    func obstacle(at name: String) -> SessionError {
        SessionError(.destinationExists, FileErrors.save(path(of: name), FileReasons.special))
    }
}
