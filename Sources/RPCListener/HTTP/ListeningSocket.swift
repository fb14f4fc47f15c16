import AriaRPC
import CLinux
import Glibc

/// A socket that listens, for the server to take.
struct ListeningSocket {
    let descriptor: Int32
    /// The address with the port that the system has chosen.
    let address: RPCAddress

    /// The most connections that wait to be accepted.
    private static let backlog: Int32 = 1_024
    /// Only its user may open a socket in the file system.
    private static let mode: mode_t = 0o600

    init(_ address: RPCAddress) throws(ListenerProblem) {
        switch address {
        case .tcp(let host, let port):
            descriptor = try Self.listen(host, port)
            self.address = .tcp(host: host, port: UInt16(clamping: cl_local_port(descriptor)))
        case .unix(let path):
            descriptor = try Self.listen(path)
            self.address = address
        }
    }

    func close() { Glibc.close(descriptor) }

    // MARK: - TCP

    private static func listen(_ host: String, _ port: UInt16) throws(ListenerProblem) -> Int32 {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            return try listen(AF_INET, &four, MemoryLayout<sockaddr_in>.size, host)
        }
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        guard inet_pton(AF_INET6, host, &six.sin6_addr) == 1 else {
            throw ListenerProblem(sentence: ListenerErrors.notAnAddress(host))
        }
        return try listen(AF_INET6, &six, MemoryLayout<sockaddr_in6>.size, host)
    }

    private static func listen<Address>(
        _ family: Int32, _ address: inout Address, _ length: Int, _ name: String
    ) throws(ListenerProblem) -> Int32 {
        let descriptor = try make(family, name)
        var isOn: Int32 = 1
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard
                    setsockopt(
                        descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size)) == 0
                else { return Int32(-1) }
                return bind(descriptor, address, socklen_t(length))
            }
        }
        return try begin(descriptor, result, name)
    }

    // MARK: - Unix

    private static func listen(_ path: String) throws(ListenerProblem) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw ListenerProblem(sentence: ListenerErrors.notAnAddress(path))
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        try makeRoom(path, address)
        let descriptor = try make(AF_UNIX, path)
        let result = withSocketAddress(address) { pointer, length in
            // The mode counts from the moment at which the name exists.
            fchmod(descriptor, mode) == 0 ? bind(descriptor, pointer, length) : -1
        }
        return try begin(descriptor, result, path)
    }

    /// Removes the socket of a process that has ended; anything else stays.
    private static func makeRoom(_ path: String, _ address: sockaddr_un) throws(ListenerProblem) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ListenerProblem(sentence: ListenerErrors.notASocket(path))
        }
        let descriptor = try make(AF_UNIX, path)
        defer { Glibc.close(descriptor) }
        let result = withSocketAddress(address) { connect(descriptor, $0, $1) }
        guard result != 0, errno == ECONNREFUSED else { throw ListenerProblem(sentence: ListenerErrors.inUse(path)) }
        guard unlink(path) == 0 || errno == ENOENT else { throw problem(path) }
    }

    private static func withSocketAddress(
        _ address: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    // MARK: - Both

    private static func make(_ family: Int32, _ name: String) throws(ListenerProblem) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw problem(name) }
        return descriptor
    }

    private static func begin(_ descriptor: Int32, _ result: Int32, _ name: String) throws(ListenerProblem) -> Int32 {
        guard result == 0, Glibc.listen(descriptor, backlog) == 0 else {
            let problem = problem(name)
            Glibc.close(descriptor)
            throw problem
        }
        return descriptor
    }

    private static func problem(_ name: String) -> ListenerProblem {
        ListenerProblem(sentence: ListenerErrors.notBound(name, String(cString: strerror(errno))))
    }
}
