import Foundation
import Glibc
import LoopbackServer

@testable import SessionCore

/// A proxy on loopback that leads every connection to one port of this machine, whatever is asked for: CONNECT, SOCKS 4 and SOCKS 5.
final class LoopbackTunnel: @unchecked Sendable {
    private let condition = NSCondition()
    private var heads: [String] = []
    private var open: Set<Int32> = []
    private let listener: Int32
    private let target: UInt16
    private let refusal: @Sendable (_ head: String) -> String?
    private var damagedByte: Int?
    let port: UInt16

    /// Begins to listen; with a refusal that is the answer to every CONNECT, and with a number that byte of what the
    /// server sends over the first connection is another one than it was.
    convenience init(to target: UInt16, refusing refusal: String? = nil, damaging damagedByte: Int? = nil) throws {
        try self.init(to: target, damaging: damagedByte) { _ in refusal }
    }

    /// Begins to listen; the closure says what a CONNECT of such a head is answered, nil for the tunnel.
    init(
        to target: UInt16, damaging damagedByte: Int? = nil,
        refusing refusal: @escaping @Sendable (_ head: String) -> String?
    ) throws {
        self.damagedByte = damagedByte
        self.target = target
        self.refusal = refusal
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw SessionError(.internal, "the tunnel cannot listen") }
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let self else { return _ = close(client) }
                Thread { self.serve(client) }.start()
            }
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// What clients have asked for: the heads of CONNECT, or the names given to SOCKS, with the password behind them.
    var requests: [String] { condition.withLock { heads } }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func serve(_ client: Int32) {
        defer { close(client) }
        guard let first = read(client, 1)?.first,
            let reply = first == 5 ? socks(client) : first == 4 ? olderSocks(client) : connect(client, first)
        else { return }
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(server) }
        var address = Self.address(target)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected, write(client, reply) else { return }
        relay(client, server)
    }

    private func connect(_ client: Int32, _ first: UInt8) -> [UInt8]? {
        var head = [first]
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = read(client, 1) { head += byte }
        condition.withLock { heads.append(String(decoding: head, as: UTF8.self)) }
        if let refusal = refusal(String(decoding: head, as: UTF8.self)) {
            _ = write(client, Array(refusal.utf8))
            return nil
        }
        return Array("HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n".utf8)
    }

    private func socks(_ client: Int32) -> [UInt8]? {
        guard let count = read(client, 1)?.first, let methods = read(client, Int(count)) else { return nil }
        let refusal = refusal("").flatMap(SocksRefusal.init)
        var asked = ""
        if refusal == .nobody {
            _ = write(client, [5, 255])
            return nil
        } else if methods.contains(2) {
            guard write(client, [5, 2]), read(client, 1) != nil, let user = word(client), let password = word(client),
                write(client, [1, refusal == .password ? 1 : 0]), refusal != .password
            else { return nil }
            asked = " \(user):\(password)"
        } else if !write(client, [5, 0]) {
            return nil
        }
        guard let request = read(client, 4) else { return nil }
        let name = request[3] == 3 ? word(client) : read(client, 4).map { $0.map(String.init).joined(separator: ".") }
        guard let name, read(client, 2) != nil else { return nil }
        condition.withLock { heads.append(name + asked) }
        if case .reply(let code) = refusal {
            _ = write(client, [5, code, 0, 1, 0, 0, 0, 0, 0, 0])
            return nil
        }
        return [5, 0, 0, 1, 127, 0, 0, 1, 0, 0]
    }

    /// How SOCKS 5 refuses: nobody without a password, this password, or the connection by a code.
    private enum SocksRefusal: Equatable {
        case nobody, password, reply(UInt8)

        init?(_ text: String) {
            switch text {
            case "nobody": self = .nobody
            case "password": self = .password
            default:
                guard let code = UInt8(text) else { return nil }
                self = .reply(code)
            }
        }
    }

    private func olderSocks(_ client: Int32) -> [UInt8]? {
        guard let request = read(client, 7), let user = line(client) else { return nil }
        let address = request[3...6]
        let isNamed = address.prefix(3).allSatisfy { $0 == 0 }
        let name = isNamed ? line(client) : address.map { String($0) }.joined(separator: ".")
        guard let name else { return nil }
        condition.withLock { heads.append(name + (user.isEmpty ? "" : " " + user)) }
        return [0, 90, 0, 0, 0, 0, 0, 0]
    }

    /// A text that ends in a zero.
    private func line(_ client: Int32) -> String? {
        var text: [UInt8] = []
        while let byte = read(client, 1)?.first {
            guard byte != 0 else { return String(decoding: text, as: UTF8.self) }
            text.append(byte)
        }
        return nil
    }

    private func word(_ client: Int32) -> String? {
        read(client, 1)?.first.flatMap { read(client, Int($0)) }.map { String(decoding: $0, as: UTF8.self) }
    }

    private func relay(_ left: Int32, _ right: Int32) {
        var toDamage = condition.withLock { exchange(&damagedByte, with: nil) }
        while true {
            var entries = [
                pollfd(fd: left, events: Int16(POLLIN), revents: 0),
                pollfd(fd: right, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, 60_000) > 0 else { return }
            for (index, entry) in entries.enumerated() where entry.revents != 0 {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = recv(entry.fd, &buffer, buffer.count, 0)
                if index == 1, let damaged = toDamage {
                    toDamage = damaged - count
                    if damaged < count {
                        buffer[damaged] ^= 1
                        toDamage = nil
                    }
                }
                guard count > 0, write(index == 0 ? right : left, Array(buffer.prefix(count))) else { return }
            }
        }
    }

    private func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count > 0 else { return [] }
        return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }

    private func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
