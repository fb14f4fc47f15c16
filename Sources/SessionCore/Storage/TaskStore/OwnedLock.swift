import CLinux
import Glibc

/// A lock file that is held as long as this object lives.
///
/// The file itself stays: removing it would let two processes hold locks on two files of one name.
final class OwnedLock: Sendable {
    private let descriptor: Int32

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
        descriptor = file
    }

    deinit { close(descriptor) }
}
