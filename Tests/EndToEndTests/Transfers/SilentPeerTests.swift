import CLinux
import Foundation
import Glibc
import LoopbackServer
import Testing

/// Addresses that answer nothing, and servers that leave while nobody looks.
@Suite("Silent peers", .timeLimit(.minutes(1)))
struct SilentPeerTests {
    @Test("Where nothing comes back from an address the attempt ends when its time to connect is over")
    func nothingComesBack() async throws {
        let folder = try ScratchFolder()
        let silent = try SilentPort()
        let run = try await ProgramRun.finished(
            ["--retries", "0", "--connect-timeout", "0.3", "http://127.0.0.1:\(silent.port)/file"], in: folder)
        #expect(run.status == 1, "\(run.messages)")
        #expect(run.messages.contains("Timed out waiting for"), "\(run.messages)")
        #expect(try folder.names.isEmpty)
    }

    @Test("Of a host's two addresses the one that answers is taken, long before the time of the other is over")
    func oneIsSilent() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start(["/file": .file(seed: 2, count: 1000)])
        // Where there is no IPv6 there is one address.
        guard let silent = try? SilentPort(port: server.port, isSix: true) else { return }
        let run = try await ProgramRun.finished(
            ["--json", "--retries", "0", "--connect-timeout", "40", "http://localhost:\(silent.port)/file"], in: folder)
        #expect(run.status == 0, "\(run.messages)")
        #expect(folder.bytes(of: "file")?.count == 1000)
        // As the program counts them: this process may be busy with other tests.
        let seconds = try #require(JSONLines(run.output).first("completed")?.fields["seconds"] as? Double)
        #expect(seconds < 20)
    }

    @Test("Of a name's two addresses of one kind the second is taken when nothing comes back from the first")
    func firstIsSilent() async throws {
        let folder = try ScratchFolder()
        let silent = try SilentPort()
        try folder.write("hello", to: "www")
        try folder.write("127.0.0.1 two.test\n127.0.0.2 two.test\n", to: "hosts")
        // The names of this machine are others in a mount namespace of its own.
        let names = ["unshare", "-mr", "/bin/sh", "-c", "mount --bind hosts /etc/hosts && exec \"$@\"", "sh"]
        guard try await Self.hasNamespaces(names, in: folder) else { return }
        let server = try SecondServer(port: silent.port, folder: folder)
        try await server.waitUntilReady()
        let run = try await tryingLonger("4", "20") { seconds in
            try await ProgramRun.finished(
                ["--retries", "0", "--connect-timeout", seconds, "-o", "got", "http://two.test:\(silent.port)/www"],
                in: folder, before: names)
        } isInTime: {
            $0.status == 0
        }
        #expect(run.status == 0, "\(run.messages)")
        #expect(folder.bytes(of: "got") == Array("hello".utf8))
    }

    private static func hasNamespaces(_ words: [String], in folder: ScratchFolder) async throws -> Bool {
        try await ProgramRun.finished(["--version"], in: folder, before: words).status == 0
    }

    @Test("A program that was stopped while its server hung up goes on with the rest when it is continued")
    func stopped() async throws {
        let folder = try ScratchFolder()
        let server = try Served.start()
        let gate = try server.gate(named: "middle")
        let content = DeterministicContent(seed: 9, count: 400_000)
        let complete = Behaviour.resource(ServedResource(seed: 9, count: 400_000))
        server.setRoute(
            "/file.bin",
            .sequence([complete.stalling(after: 100_000, until: gate).cutting(after: 200_000, .reset), complete]))
        let run = try ProgramRun(["--plain", server.url("/file.bin")], in: folder)
        try await run.waitForMessages("the server's answer") { $0.contains("response") }
        try await server.waitUntilRead(upTo: gate)
        try run.signal(SIGSTOP)
        gate.release()
        #expect(server.wait { $0.first?.outcome != .running })
        try run.signal(SIGCONT)
        let end = try await run.waitForEnd()
        #expect(end.status == 0, "\(end.messages)")
        #expect(folder.bytes(of: "file.bin") == content.bytes)
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.header("Range") != nil)
    }
}

/// A server of files at the second address of loopback, with a port of choice.
private final class SecondServer {
    private let process: pid_t
    private let output: Int32

    init(port: UInt16, folder: ScratchFolder) throws {
        output = cl_memfd("server")
        process = try Program.start(
            ["/usr/bin/python3", "-u", "-m", "http.server", "\(port)", "--bind", "127.0.0.2", "-d", folder.path],
            environment: [:], output: output)
    }

    func waitUntilReady() async throws {
        let output = output
        _ = try await waitUntil("the server") {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = pread(output, &bytes, bytes.count, 0)
            return count > 0 && String(decoding: bytes.prefix(count), as: UTF8.self).contains("Serving") ? true : nil
        }
    }

    deinit {
        kill(process, SIGKILL)
        _ = Program.wait(for: process)
        close(output)
    }
}

/// A port of this machine at which packets that begin a connection are dropped: its queue is full, and nobody empties it.
private final class SilentPort {
    let port: UInt16
    private let listener: Int32
    private var callers: [Int32] = []

    init(port wanted: UInt16 = 0, isSix: Bool = false) throws {
        let family = isSix ? AF_INET6 : AF_INET
        listener = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw WaitingFailed(description: "No socket: errno \(errno)") }
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        four.sin_port = wanted.bigEndian
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_addr = in6addr_loopback
        six.sin6_port = wanted.bigEndian
        let size = socklen_t(isSix ? MemoryLayout.size(ofValue: six) : MemoryLayout.size(ofValue: four))
        func with<Result>(_ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result {
            isSix
                ? withUnsafeMutablePointer(to: &six) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
                }
                : withUnsafeMutablePointer(to: &four) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
                }
        }
        var length = size
        let file = listener
        guard with({ bind(file, $0, size) }) == 0, listen(file, 0) == 0,
            with({ getsockname(file, $0, &length) }) == 0
        else {
            let number = errno
            close(file)
            port = 0
            throw WaitingFailed(description: "No port: errno \(number)")
        }
        port = UInt16(bigEndian: isSix ? six.sin6_port : four.sin_port)
        // A queue of none takes one; further ones are only asked for again and again.
        for _ in 0..<3 {
            let caller = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = with { connect(caller, $0, size) }
            callers.append(caller)
        }
    }

    deinit { for descriptor in callers + [listener] { close(descriptor) } }
}
