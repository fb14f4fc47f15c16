import CLinux
import Dashboard
import Foundation
import Glibc
import SessionSupport
import Testing

@testable import ServiceWire
@testable import TransferService

/// A service on a socket, with clients that behave well and badly.
@Suite("A service on a socket", .timeLimit(.minutes(1)))
struct ServiceListenerTests {
    /// A folder of its own for each test, which is removed at the end.
    final class Folder {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "netdash-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var socket: ServiceSocket { ServiceSocket(folder: path, name: "test") }
    }

    static let rows = (1...2_500).map {
        RowSnapshot(id: UInt64($0), kind: .download, name: "file \($0)", url: "http://h/\($0)")
    }

    static func listen(_ service: any TransferService, _ folder: Folder) throws -> ServiceListener {
        try ServiceListener(
            service, at: folder.socket,
            welcome: Welcome(program: "1.0", process: getpid(), session: "test", directory: "/d"), onStop: {})
    }

    static func connect(_ folder: Folder) throws -> RemoteService {
        try #require(try RemoteService.connect(to: folder.socket, program: "1.0"))
    }

    // MARK: - Good clients

    @Test("A client asks, commands and reads pages of any length")
    func questions() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: Self.rows)
        let listener = try Self.listen(service, folder)
        defer { listener.close() }
        let client = try Self.connect(folder)
        #expect(client.welcome.directory == "/d")
        #expect(client.allSnapshots == Self.rows)
        #expect(client.counts.live == 2_500)
        #expect(client.figures(of: Self.rows.map(\.id)).count == 2_500)
        client.send(.pause([3]))
        client.send(.add([Job(kind: .download, url: "http://h/new")]))
        guard case .pause([3]) = service.commands.first, case .add(let jobs) = service.commands.last else {
            Issue.record("\(service.commands)")
            return
        }
        // The client's folder, not the service's.
        #expect(jobs.first?.directory == FileManager.default.currentDirectoryPath)
        var paged: [RowSnapshot] = []
        #expect(client.eachPage(of: Self.rows.map(\.id)) { paged += $0 } && paged == Self.rows)
        client.close()
        #expect(!client.eachPage(of: [1], { _ in }), "without a connection")
    }

    @Test("Paths for a service on another host start at its folder")
    func paths() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: [])
        let listener = try Self.listen(service, folder)
        defer { listener.close() }
        let client = try #require(
            try RemoteService.connect(to: folder.socket, program: "1.0", directory: "sub", isElsewhere: true))
        var own = Job(kind: .download, url: "http://h/own")
        own.directory = "mine"
        var upload = Job(kind: .upload, url: "http://h/in")
        upload.body = .file(path: "report")
        client.send(.add([Job(kind: .download, url: "http://h/new"), own, upload]))
        guard case .add(let jobs) = service.commands.first else {
            Issue.record("\(service.commands)")
            return
        }
        #expect(jobs.map(\.directory) == ["/d/sub", "/d/mine", nil])
        #expect(jobs.last?.body == .file(path: "/d/report"))
        _ = client.writeBody(of: 1, to: "body")
        client.close()
        let near = try #require(try RemoteService.connect(to: folder.socket, program: "1.0"))
        for path in ["body", "/own/body"] { _ = near.writeBody(of: 1, to: path) }
        near.close()
        #expect(service.written == ["/d/body", FileManager.default.currentDirectoryPath + "/body", "/own/body"])
    }

    @Test("A client that reads nothing delays no other, and is told to ask again")
    func silentClient() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: Self.rows)
        let listener = try Self.listen(service, folder)
        defer { listener.close() }
        let descriptor = try #require(try folder.socket.connect())
        let silent = FrameStream(descriptor)
        try silent.write(ClientMessage.hello(Hello(version: Wire.version, program: "1.0")))
        try silent.write(ClientMessage.subscribe(Interest(showsRows: true)))
        try silent.write(ClientMessage.next)
        try silent.write(ClientMessage.request(1, .ask(.counts)))
        // Its subscription is there when the question behind it is answered; from then on it reads nothing.
        while true {
            let message = try silent.read(ServerMessage.self)
            if case .reply = message { break }
            if case .update = message { try silent.write(ClientMessage.next) }
        }
        let client = try Self.connect(folder)
        let wakes = Monitor(0)
        let subscription = client.subscribe(Interest(showsRows: true)) { wakes.change { $0 += 1 } }
        _ = client.counts
        let long = SafeText(untrusted: String(repeating: "x", count: 10_000))
        for _ in 0..<400 { service.change(Self.rows, notifier: [.complaint(long)]) }
        service.change(state: .failed, of: 5)
        var rows: [RowSnapshot] = []
        var seen = 0
        while !rows.contains(where: { $0.id == 5 && $0.state == .failed }) {
            wakes.wait { $0 > seen ? () : nil }
            seen = wakes.withLock { $0 }
            rows += subscription.take().rows
            subscription.askForNext()
            if rows.isEmpty { rows = client.snapshots(of: [5]) }
        }
        // It then reads what it has missed: that it has.
        var isCut = false
        while !isCut {
            if case .update(let update) = try silent.read(ServerMessage.self) { isCut = update.isCut }
            try silent.write(ClientMessage.next)
        }
        client.close()
    }

    @Test("A client connects again, and asks for all rows, when the service was away")
    func reconnect() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: Array(Self.rows.prefix(3)))
        let first = try Self.listen(service, folder)
        let connections = Monitor<[RemoteService.Connection]>([])
        let client = try #require(
            try RemoteService.connect(
                to: folder.socket, program: "1.0",
                onConnection: { connection in connections.change { $0.append(connection) } }))
        let wakes = Monitor(0)
        let subscription = client.subscribe(Interest(showsRows: true)) { wakes.change { $0 += 1 } }
        _ = client.counts
        first.close()
        connections.wait { $0.count == 1 ? () : nil }
        #expect(client.allSnapshots.isEmpty)
        let second = try Self.listen(service, folder)
        defer { second.close() }
        connections.wait { $0.last == .connected ? () : nil }
        wakes.wait { $0 > 0 ? () : nil }
        #expect(subscription.take().isCut)
        #expect(client.allSnapshots.count == 3)
        client.close()
    }

    @Test("A command starts a lost service again, and a step is not undone over what it may have forgotten")
    func restart() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: Self.rows)
        let listeners = Locked([try Self.listen(service, folder)])
        let socket = folder.socket
        let client = try #require(
            try RemoteService.connect(
                to: socket, program: "1.0",
                restart: {
                    let welcome = Welcome(program: "1.0", process: 1, session: nil, directory: "/")
                    guard let next = try? ServiceListener(service, at: socket, welcome: welcome, onStop: {}) else {
                        return
                    }
                    listeners.withLock { $0.append(next) }
                }))
        listeners.withLock { $0 }[0].close()
        while client.counts.live > 0 { sched_yield() }
        client.send(.pause([9]))
        #expect(service.commands.last == .pause([9]))
        listeners.withLock { $0 }[1].close()
        while client.counts.live > 0 { sched_yield() }
        #expect(client.send(.undo(.resume([9]))) == CommandReply(refused: .resume([9]), ServiceErrors.serviceRestarted))
        #expect(service.commands.last == .pause([9]))
        for listener in listeners.withLock({ $0 }) { listener.close() }
        client.close()
    }

    // MARK: - Bad clients

    @Test("Another version is refused with the versions of both")
    func otherVersion() throws {
        let folder = try Folder()
        let listener = try Self.listen(ScriptedService(), folder)
        defer { listener.close() }
        let stream = FrameStream(try #require(try folder.socket.connect()))
        try stream.write(ClientMessage.hello(Hello(version: Wire.version + 1, program: "9.9")))
        guard case .refused(let sentence) = try stream.read(ServerMessage.self) else {
            Issue.record("not refused")
            return
        }
        #expect(sentence == WireErrors.otherVersion(service: "1.0", client: "9.9", session: "test"))
        #expect(throws: FrameStream.Failure.ended) { try stream.read(ServerMessage.self) }
    }

    @Test("A process that accepts no connection, or stops to answer, is given up with a sentence")
    func silentService() throws {
        let folder = try Folder()
        let listening = try folder.socket.listen()
        defer {
            Glibc.close(listening.descriptor)
            Glibc.close(listening.lock)
        }
        #expect(throws: LinkFailure(WireErrors.silent)) {
            try RemoteService.connect(to: folder.socket, program: "1.0", patience: 20)
        }
        #expect(throws: LinkFailure(WireErrors.silent)) {
            try RemoteService.stop(at: folder.socket, program: "1.0", patience: 20)
        }
        // It welcomes clients until one has come in time, and then no more.
        let welcomes = Locked(true)
        let halfService = try SystemThread.start(name: "half-service") {
            let welcome = Welcome(program: "1.0", process: 1, session: nil, directory: "/d")
            var accepted: [FrameStream] = []
            while case let peer = cl_accept(listening.descriptor), peer >= 0 {
                accepted.append(FrameStream(peer))
                if welcomes.withLock({ $0 }) { try? accepted.last?.write(ServerMessage.welcome(welcome)) }
            }
        }
        defer {
            Glibc.shutdown(listening.descriptor, Int32(SHUT_RDWR))
            halfService.join()
        }
        let news = Monitor([RemoteService.Connection]())
        var connected: RemoteService?
        while connected == nil {
            connected = try? RemoteService.connect(
                to: folder.socket, program: "1.0", patience: 100,
                onConnection: { connection in news.change { $0.append(connection) } })
        }
        welcomes.withLock { $0 = false }
        let client = try #require(connected)
        #expect(client.answer(.counts) == .failed(RemoteService.lost))
        #expect(client.problem == WireErrors.hangs(1))
        news.wait { $0.count >= 2 ? () : nil }
        #expect(news.withLock { $0 }.prefix(2) == [.silent, .hangs(WireErrors.hangs(1))])
        client.close()
    }

    @Test("A long request is waited for while the service answers others")
    func longRequest() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: Self.rows)
        let counts = Monitor([Int]())
        let listener = try ServiceListener(
            service, at: folder.socket,
            welcome: Welcome(program: "1.0", process: getpid(), session: "test", directory: "/d"), onStop: {},
            onCount: { count in counts.change { $0.append(count) } })
        defer { listener.close() }
        let client = try #require(try RemoteService.connect(to: folder.socket, program: "1.0", patience: 20_000))
        service.isBusy = true
        let answers = Monitor([Int]())
        try SystemThread.detach(name: "asking") { [client] in
            let count = client.counts.live
            answers.change { $0.append(count) }
        }
        // After a second without an answer the client comes as another one, which is welcomed and leaves; so the first one waits on.
        counts.wait { $0.contains(2) && $0.last == 1 ? () : nil }
        service.isBusy = false
        #expect(answers.wait { $0.first } == 2_500)
        client.close()
    }

    @Test(
        "Garbage, a frame of a gigabyte and half a frame end that connection and no other",
        arguments: [
            Array("GET / HTTP/1.1\r\n\r\n".utf8), [0x40, 0, 0, 0], [0, 0, 0, 3, 0xFF, 0xFF, 0xFF], [0, 0, 0, 9, 0xA1],
        ] as [[UInt8]])
    func garbage(bytes: [UInt8]) throws {
        let folder = try Folder()
        let listener = try Self.listen(ScriptedService(rows: Self.rows), folder)
        defer { listener.close() }
        let good = try Self.connect(folder)
        let descriptor = try #require(try folder.socket.connect())
        #expect(Descriptor.writeAll(bytes, to: descriptor))
        Glibc.shutdown(descriptor, Int32(SHUT_WR))
        // The service closes in its turn.
        var rest = [UInt8](repeating: 0, count: 4_096)
        while recv(descriptor, &rest, rest.count, 0) > 0 {}
        Glibc.close(descriptor)
        #expect(good.counts.live == 2_500)
        good.close()
    }

    @Test("Beyond the limit of connections a client is refused with a sentence")
    func manyConnections() throws {
        let folder = try Folder()
        let listener = try Self.listen(ScriptedService(rows: Self.rows), folder)
        defer { listener.close() }
        var streams: [FrameStream] = []
        for _ in 0..<256 {
            let stream = FrameStream(try #require(try folder.socket.connect()))
            try stream.write(ClientMessage.hello(Hello(version: Wire.version, program: "1.0")))
            guard case .welcome = try stream.read(ServerMessage.self) else { break }
            streams.append(stream)
        }
        #expect(streams.count == 256)
        #expect(throws: LinkFailure(WireErrors.tooManyConnections)) { try Self.connect(folder) }
    }

    // MARK: - The socket

    @Test("A second service of one session is refused, and the first goes on")
    func twoServices() throws {
        let folder = try Folder()
        let first = try Self.listen(ScriptedService(rows: Self.rows), folder)
        defer { first.close() }
        #expect(throws: ServiceSocket.Problem.inUse) { try Self.listen(ScriptedService(), folder) }
        #expect(try Self.connect(folder).counts.live == 2_500)
    }

    @Test("The socket of a killed service is replaced, whatever stands there")
    func staleSocket() throws {
        let folder = try Folder()
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.socket.path))
        #expect(try folder.socket.connect() == nil)
        let listener = try Self.listen(ScriptedService(rows: Self.rows), folder)
        defer { listener.close() }
        #expect(try Self.connect(folder).counts.live == 2_500)
        var status = stat()
        #expect(lstat(folder.socket.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(
        "A service whose socket is removed makes it again, also with its folder",
        arguments: [["test.sock"], ["test.lock"], ["test.sock", "test.lock"], [""]])
    func removedSocket(names: [String]) throws {
        let folder = try Folder()
        let listener = try Self.listen(ScriptedService(rows: Self.rows), folder)
        let client = try Self.connect(folder)
        // In one step each: the service makes a folder again while its files are still being removed.
        let other = try Folder()
        for name in names { #expect(rename(folder.path + "/" + name, other.path + "/gone" + name) == 0) }
        // It may make its socket twice, where it has noticed the first loss before the second.
        while !Self.isLocked(folder.path + "/test.lock") { usleep(1_000) }
        while (try? RemoteService.connect(to: folder.socket, program: "1.0"))??.counts.live != 2_500 { usleep(1_000) }
        #expect(client.counts.live == 2_500, "the connection from before")
        #expect(throws: ServiceSocket.Problem.inUse) { try Self.listen(ScriptedService(rows: []), folder) }
        listener.close()
        #expect(!FileManager.default.fileExists(atPath: folder.socket.path))
        try Self.listen(ScriptedService(rows: []), folder).close()
    }

    /// Whether a process has locked a file.
    private static func isLocked(_ path: String) -> Bool {
        let descriptor = open(path, O_RDWR)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    @Test("A folder that others can enter, and a link in its place, are refused")
    func unsafeFolder() throws {
        let folder = try Folder()
        chmod(folder.path, 0o755)
        #expect(throws: ServiceSocket.Problem.unsafeFolder(folder.path)) { try Self.listen(ScriptedService(), folder) }
        #expect(throws: LinkFailure(WireErrors.unsafeFolder(folder.path))) { try Self.connect(folder) }
        chmod(folder.path, 0o700)
        let link = folder.path + "/link"
        symlink(folder.path, link)
        #expect(throws: ServiceSocket.Problem.unsafeFolder(link)) {
            try ServiceSocket(folder: link, name: "test").listen()
        }
    }

    @Test("A path that is too long for a socket is said to be that")
    func longPath() throws {
        let folder = try Folder()
        let socket = ServiceSocket(folder: folder.path, name: String(repeating: "n", count: 120))
        #expect(throws: ServiceSocket.Problem.unusable(socket.path, errno: ENAMETOOLONG)) { try socket.listen() }
    }
}
