import Foundation
import Glibc
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("A pause until the wire is quiet", .timeLimit(.minutes(1)))
struct PausingBridgeTests {
    @Test("An upload is pausing until its peer has what was sent; then it is paused, and its figures stand still")
    func upload() throws {
        let fixture = try BridgeFixture { _ in }
        defer { fixture.end() }
        let peer = try SluggishPeer()
        let file = fixture.folder.appendingPathComponent("up.bin").path
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        // More than the buffers of both sides take, so that something is left to send after the pause.
        #expect(truncate(file, 64 << 20) == 0)
        var job = Job(kind: .upload, url: "http://127.0.0.1:\(peer.port)/in")
        job.body = .file(path: file)
        fixture.bridge.add([job])
        let bridge = fixture.bridge
        func figures() -> RowFigures? { bridge.figures(of: [1]).first }
        func wait(until isWanted: (RowFigures) -> Bool) -> Bool {
            fixture.observer.wait { _ in figures().map(isWanted) ?? false }
        }
        try #require(wait { $0.state == .running && $0.sent > 0 })

        bridge.pause([1])
        try #require(wait { $0.state == .pausing && $0.inFlight > 0 })
        let pausing = try #require(figures())
        #expect(pausing.sent < pausing.expected ?? 0)
        #expect(pausing.canStart && !pausing.canPause)

        // Nothing more is sent: what was on its way arrives.
        let received = try peer.readBody { figures()?.state == .paused }
        let paused = try #require(figures())
        #expect(paused.state == .paused && paused.inFlight == 0)
        // What libcurl has taken into its buffer of 512 KiB, and does not write while it is paused, counts as sent too.
        #expect((0...524_288).contains(paused.sent - received), "\(paused.sent) \(received)")
        #expect(try peer.readAvailable() == 0)
        #expect(figures() == paused)
        bridge.cancel([1], deletingParts: true)
    }
}

/// A peer that accepts a connection and reads nothing of it until it is told to.
private final class SluggishPeer {
    private let listener: Int32
    let port: Int
    private var connection: Int32 = -1

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var room: Int32 = 16 << 10
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                [
                    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size)),
                    bind(descriptor, generic, length), listen(descriptor, 1),
                    getsockname(descriptor, generic, &length),
                ]
            }
        }
        try #require(descriptor >= 0 && result.allSatisfy { $0 == 0 })
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        if connection >= 0 { close(connection) }
        close(listener)
    }

    /// Reads a request's head and what comes of its body until it is quiet; answers how many bytes came of the body.
    func readBody(isQuiet: () -> Bool) throws -> Int64 {
        connection = accept(listener, nil, nil)
        try #require(connection >= 0)
        var head: [UInt8] = []
        var bodyCount: Int64?
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            let wasQuiet = isQuiet()
            let bytes = try available()
            if bytes.isEmpty {
                if wasQuiet { return bodyCount ?? 0 }
                try #require(ContinuousClock.now < deadline)
                var events = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                _ = poll(&events, 1, 20)
            } else if let known = bodyCount {
                bodyCount = known + Int64(bytes.count)
            } else {
                head += bytes
                if let end = head.firstRange(of: Array("\r\n\r\n".utf8)) {
                    bodyCount = Int64(head.count - end.upperBound)
                }
            }
        }
    }

    /// Reads what is there without waiting; answers how much it was.
    func readAvailable() throws -> Int { try available().count }

    private func available() throws -> ArraySlice<UInt8> {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let read = recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        try #require(read > 0 || read < 0 && errno == EAGAIN)
        return buffer[..<max(read, 0)]
    }
}
