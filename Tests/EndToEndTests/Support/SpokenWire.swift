import CLinux
import Foundation
import Glibc

/// The wire of a service, spoken by hand as a program of another version speaks it.
enum SpokenWire {
    /// The beginnings of values in CBOR: texts up to 255 bytes, maps with up to 23 members, and small numbers.
    static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return (bytes.count < 24 ? [0x60 + UInt8(bytes.count)] : [0x78, UInt8(bytes.count)]) + bytes
    }

    static func map(_ members: [(String, [UInt8])]) -> [UInt8] {
        [0xA0 + UInt8(members.count)] + members.flatMap { text($0.0) + $0.1 }
    }

    /// A message with one value: a list of its name and the value.
    static func frame(_ name: String, _ value: [UInt8]) -> [UInt8] {
        let body = [0x82] + text(name) + value
        return [0, 0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
    }

    static func hello(version: UInt8, program: String) -> [UInt8] {
        frame("hello", map([("version", [version]), ("program", text(program))]))
    }

    /// Calls with the address of a socket's path.
    static func withAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    static func socket() throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw WaitingFailed(description: "No socket: errno \(errno)") }
        return descriptor
    }

    /// Sends bytes to a service and returns everything that it says until it hangs up.
    static func ask(_ path: String, _ bytes: [UInt8]) throws -> [UInt8] {
        let descriptor = try socket()
        defer { close(descriptor) }
        guard withAddress(path, { connect(descriptor, $0, $1) }) == 0,
            write(descriptor, bytes, bytes.count) == bytes.count
        else { throw WaitingFailed(description: "No service at \(path): errno \(errno)") }
        var said: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(descriptor, &chunk, chunk.count), count > 0 { said += chunk[0..<count] }
        return said
    }
}

/// A service of another version, which refuses every program with a sentence.
final class RefusingService {
    private let listener: Int32
    private let lock: Int32
    private let thread: Thread

    /// Takes the place of a service that has ended.
    init(at path: String, lock lockPath: String, sentence: String) throws {
        lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw WaitingFailed(description: "\(lockPath) is taken: errno \(errno)")
        }
        let descriptor = try SpokenWire.socket()
        listener = descriptor
        guard SpokenWire.withAddress(path, { bind(descriptor, $0, $1) }) == 0, chmod(path, 0o600) == 0,
            listen(descriptor, 8) == 0
        else { throw WaitingFailed(description: "\(path) cannot be listened at: errno \(errno)") }
        let answer = SpokenWire.frame("refused", SpokenWire.text(sentence))
        thread = Thread {
            while case let peer = cl_accept(descriptor), peer >= 0 {
                var chunk = [UInt8](repeating: 0, count: 4_096)
                if read(peer, &chunk, chunk.count) > 0 { _ = write(peer, answer, answer.count) }
                close(peer)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        close(lock)
    }
}
