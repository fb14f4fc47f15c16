import Glibc

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
