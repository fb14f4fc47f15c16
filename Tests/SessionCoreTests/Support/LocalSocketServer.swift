import Foundation
import Glibc

/// A server on a socket of this machine that answers every request with `here`; ended with this object.
final class LocalSocketServer: @unchecked Sendable {
    struct Failed: Error {}

    let path: String
    private let listener: Int32

    init(path: String) throws {
        self.path = path
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { throw Failed() }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard listener >= 0, isBound, listen(listener, 4) == 0 else { throw Failed() }
        Thread.detachNewThread { [listener] in Self.serve(listener) }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func serve(_ listener: Int32) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            _ = read(connection, &bytes, bytes.count)
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhere".utf8)
            _ = write(connection, answer, answer.count)
            close(connection)
        }
    }
}
