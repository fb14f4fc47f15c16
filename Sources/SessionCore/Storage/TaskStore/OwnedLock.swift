import CLinux
import Glibc
import Support

/// A lock file that is held until it is released, and no longer than this object lives.
///
/// A class because it owns a descriptor, and with it the lock.
///
/// The file itself stays: removing it would let two processes hold locks on two files of one name.
final class OwnedLock: Sendable {
    private let descriptor: Locked<Int32?>

    /// Takes the lock or throws `sessionInUse`; it never waits.
    init(_ name: String, in folder: Folder, identifier: String) throws(SessionError) {
        let file = folder.open(name, flags: O_RDWR | O_CREAT, mode: 0o600)
        guard file >= 0 else { throw SystemError.error(errno, cannot: "open", path: folder.path(of: name)) }
        guard cl_lock_exclusive(file) == 0 else {
            let number = errno
            close(file)
            guard number == EAGAIN || number == EACCES else {
                throw SystemError.error(number, cannot: "lock", path: folder.path(of: name))
            }
            throw SessionError(.sessionInUse, "The session \(identifier) is in use by another program", errno: number)
        }
        descriptor = Locked(file)
    }

    deinit { release() }

    /// Frees the lock; may be called twice.
    func release() {
        let file = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let file { close(file) }
    }
}
