import Glibc

/// The service manager that has started this process, by the protocols of `sd_notify`(3) and `sd_listen_fds`(3).
enum ServiceManager {
    /// The first descriptor that a manager passes.
    private static let firstDescriptor: Int32 = 3

    /// The listening socket that the manager has made; nil without one.
    static func inheritedSocket(environment: [String: String]) -> Int32? {
        guard environment["LISTEN_PID"].flatMap({ pid_t($0) }) == getpid(), environment["LISTEN_FDS"] == "1" else {
            return nil
        }
        // A child must not get it.
        guard fcntl(firstDescriptor, F_SETFD, FD_CLOEXEC) == 0 else { return nil }
        return firstDescriptor
    }

    /// Whether a manager has started this process, and would start it again.
    static func isPresent(environment: [String: String]) -> Bool { environment["NOTIFY_SOCKET"]?.isEmpty == false }

    /// Sends a state; nothing where no manager waits for one.
    static func tell(_ state: String) {
        guard let pointer = getenv("NOTIFY_SOCKET") else { return }
        let path = String(cString: pointer)
        guard path.hasPrefix("/") || path.hasPrefix("@") else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // An abstract socket begins with a zero byte.
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let message = Array(state.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // A manager that has gone needs no news.
                _ = sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
