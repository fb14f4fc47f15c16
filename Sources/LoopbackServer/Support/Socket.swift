import CLinux
import Glibc

/// The socket calls that the server needs, each checked.
enum Socket {
    /// The event of a peer that has closed its side.
    ///
    /// Not in the Glibc module; the value is part of Linux's interface.
    static let peerClosed: Int16 = 0x2000

    /// A socket on 127.0.0.1 that keeps a port from everything but a listener on this very one, with the port.
    ///
    /// A connection to it is refused.
    static func hold(port: UInt16) throws(ServerError) -> (descriptor: Int32, port: UInt16) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = Glibc.socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw ServerError(call: "socket", number: errno) }
        do throws(ServerError) {
            try set(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
            return (descriptor, try bind(descriptor, port: port))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// A listening socket only on 127.0.0.1.
    static func listen(port: UInt16, backlog: Int32) throws(ServerError) -> Int32 {
        let descriptor = try hold(port: port).descriptor
        guard Glibc.listen(descriptor, backlog) == 0 else {
            let error = ServerError(call: "listen", number: errno)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    static func set<Option: BitwiseCopyable>(
        _ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Option
    ) throws(ServerError) {
        var value = value
        let result = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Option>.size))
        guard result == 0 else { throw ServerError(call: "setsockopt", number: errno) }
    }

    /// Closes a descriptor.
    ///
    /// Linux releases it even when the call is interrupted, so it is never repeated.
    static func close(_ descriptor: Int32) {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    /// Waits until one of the descriptors reports its event or the time is over; negative ones are ignored.
    ///
    /// Returns the events of each one, all zero after a timeout.
    static func poll(
        _ first: (descriptor: Int32, events: Int16), _ second: (descriptor: Int32, events: Int16) = (-1, 0),
        timeoutMilliseconds: Int32
    ) -> (first: Int16, second: Int16) {
        let deadline = cl_monotonic_milliseconds() + Int64(max(0, timeoutMilliseconds))
        var entries = (
            pollfd(fd: first.descriptor, events: first.events, revents: 0),
            pollfd(fd: second.descriptor, events: second.events, revents: 0)
        )
        var remaining = timeoutMilliseconds
        while true {
            let result = withUnsafeMutablePointer(to: &entries) { pointer in
                pointer.withMemoryRebound(to: pollfd.self, capacity: 2) { Glibc.poll($0, 2, remaining) }
            }
            if result >= 0 { return (entries.0.revents, entries.1.revents) }
            guard errno == EINTR else { return (Int16(POLLERR), 0) }
            if timeoutMilliseconds >= 0 { remaining = Int32(max(0, deadline - cl_monotonic_milliseconds())) }
        }
    }

    /// Bytes passed to the kernel that the peer has not acknowledged yet; nil when that is unknown.
    static func unacknowledgedByteCount(_ descriptor: Int32) -> Int32? {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? count : nil
    }

    private static func bind(_ descriptor: Int32, port: UInt16) throws(ServerError) -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, length) }
        }
        guard bound == 0 else { throw ServerError(call: "bind", number: errno) }
        let named = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard named == 0 else { throw ServerError(call: "getsockname", number: errno) }
        return UInt16(bigEndian: address.sin_port)
    }
}
