import CLinux
import Glibc

/// The process that has a saved session open.
package struct SessionHolder: Sendable, Equatable {
    /// Its number, which only helps users; nil where it is unknown.
    package let process: Int32?

    /// Finds the process without taking the session's lock; nil where no process has the session open.
    package init?(of identifier: String, in folder: String) {
        guard TaskStoreFiles.isValid(identifier) else { return nil }
        let path = "\(folder)/\(TaskStoreFiles.lockName(of: identifier))"
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard cl_is_locked(file) else { return nil }
        process = StoreHolder.read(descriptor: file)
    }
}
