import Glibc
import SessionSupport
import Testing

@testable import ServiceWire
@testable import TransferService
@testable import netdash

/// A service that was killed accepts connections until the last of its threads has ended.
@Suite("A service in its last moment", .timeLimit(.minutes(1)))
struct EndingServiceTests {
    @Test("A service that ends before it greets is none, so that an addition starts another")
    func killed() throws {
        let folder = try ServiceListenerTests.Folder()
        let listening = try folder.socket.listen()
        defer { Glibc.close(listening.lock) }
        try SystemThread.detach(name: "ending") {
            Glibc.close(accept(listening.descriptor, nil, nil))
            Glibc.close(listening.descriptor)
        }
        #expect(try RemoteService.connect(to: folder.socket, program: "1.0") == nil)
    }

    @Test("An addition that the service refuses to read is not sent again")
    func refused() throws {
        let folder = try ServiceListenerTests.Folder()
        let listening = try folder.socket.listen()
        defer { Glibc.close(listening.lock) }
        let requests = Locked(0)
        try SystemThread.detach(name: "refusing") {
            while case let descriptor = accept(listening.descriptor, nil, nil), descriptor >= 0 {
                let stream = FrameStream(descriptor)
                guard case .hello? = try? stream.read(ClientMessage.self) else { continue }
                try? stream.write(
                    ServerMessage.welcome(Welcome(program: "1.0", process: 1, session: "s", directory: "/")))
                while case .request? = try? stream.read(ClientMessage.self) {
                    requests.withLock { $0 += 1 }
                    try? stream.write(ServerMessage.refused("unreadable"))
                }
            }
            Glibc.close(listening.descriptor)
        }
        let restarts = Locked(0)
        let client = try #require(
            try RemoteService.connect(to: folder.socket, program: "1.0", restart: { restarts.withLock { $0 += 1 } }))
        let reply = client.send(.add([Job(kind: .download, url: "http://h/f")]))
        #expect(reply == CommandReply() && client.problem == "unreadable")
        #expect(requests.withLock { $0 } == 1 && restarts.withLock { $0 } == 0)
        _ = client.close(leaving: [])
        shutdown(listening.descriptor, Int32(SHUT_RDWR))
    }

    @Test("A service that is killed before it listens is started again with the same options")
    func killedBeforeListening() throws {
        let folder = try ServiceListenerTests.Folder()
        let starts = Locked([[String]]())
        let listening = Locked(ServiceSocket.Listening?.none)
        var starter = ServiceStarter(session: "s", arguments: [], watches: false)
        starter.spawn = { [socket = folder.socket] words in
            let count = starts.withLock { starts in
                starts.append(words)
                return starts.count
            }
            if count == 2 { listening.withLock { $0 = try? socket.listen() } }
            // Foundation's processes are waited for by Foundation.
            var process: pid_t = 0
            var arguments = [strdup("sleep"), strdup("60"), nil]
            defer { for argument in arguments { free(argument) } }
            guard posix_spawn(&process, "/bin/sleep", nil, nil, &arguments, nil) == 0 else { return nil }
            kill(process, SIGKILL)
            return process
        }
        #expect(starter.run(["--limit-rate=100k"], at: folder.socket))
        let words = starts.withLock { $0 }
        #expect(words.count == 2 && words.first == words.last)
        #expect(words.first?.contains("--limit-rate=100k") == true)
        if let listening = listening.withLock({ $0 }) {
            Glibc.close(listening.descriptor)
            Glibc.close(listening.lock)
        }
    }
}
