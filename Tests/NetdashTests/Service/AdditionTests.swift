import Foundation
import Glibc
import LoopbackServer
import SessionSupport
import Testing

@testable import ServiceWire
@testable import TransferService

/// Additions beside the end of a service: each is carried out once.
@Suite("An addition whose service ends", .timeLimit(.minutes(1)))
struct AdditionTests {
    private typealias Folder = ServiceListenerTests.Folder

    /// Welcomes clients one after another, each by a function that answers its requests until it returns nil.
    private static func serve(
        _ listening: ServiceSocket.Listening, _ clients: [@Sendable (WireRequest) -> WireReply?]
    ) throws {
        try SystemThread.detach(name: "scripted") {
            for (number, answer) in clients.enumerated() {
                let stream = FrameStream(accept(listening.descriptor, nil, nil))
                let welcome = Welcome(program: "1.0", process: pid_t(number), session: "test", directory: "/d")
                guard (try? stream.read(ClientMessage.self)) != nil,
                    (try? stream.write(ServerMessage.welcome(welcome))) != nil
                else { continue }
                while case .request(let id, let request)? = try? stream.read(ClientMessage.self),
                    let reply = answer(request)
                {
                    try? stream.write(ServerMessage.reply(id, reply))
                }
            }
        }
    }

    private static func connect(_ folder: Folder, restarts: Locked<Int>) throws -> RemoteService {
        try #require(
            try RemoteService.connect(
                to: folder.socket, program: "1.0", restart: { restarts.withLock { $0 += 1 } }))
    }

    /// The moments at which a service is killed.
    enum Moment: CaseIterable {
        case beforeReply, beforeDisk
    }

    @Test("An addition is sent again with its number until a service has saved it", arguments: Moment.allCases)
    func sentAgain(moment: Moment) throws {
        let folder = try Folder()
        let listening = try folder.socket.listen()
        defer { for descriptor in [listening.descriptor, listening.lock] { Glibc.close(descriptor) } }
        let keys = Locked<[UInt64?]>([])
        let jobs = [Job(kind: .data, url: "http://h/a"), Job(kind: .data, url: "http://h/b")]
        @Sendable func added(_ request: WireRequest) -> WireReply? {
            guard case .send(.add, once: let key) = request else { return nil }
            keys.withLock { $0.append(key) }
            return .sent(CommandReply(added: [7, 8]))
        }
        try Self.serve(
            listening,
            [
                { request in
                    let reply = added(request)
                    return moment == .beforeReply ? nil : reply
                },
                { request in request == .ask(.unsaved) ? .answer(.unsaved(nil)) : added(request) },
            ])
        let restarts = Locked(0)
        let client = try Self.connect(folder, restarts: restarts)
        let (reply, unsaved) = try #require(client.addAndSave(jobs))
        #expect(reply.added == [7, 8] && unsaved == nil)
        #expect(restarts.withLock { $0 } >= 1)
        let sent = keys.withLock { $0 }
        #expect(sent.count == 2 && sent[0] != nil && sent[0] == sent[1])
        client.leave()
    }

    @Test("A service that ends answers what it has begun, and no more until the connection ends")
    func lastAnswer() throws {
        let folder = try Folder()
        let service = ScriptedService(rows: [])
        let listener = try ServiceListener(
            service, at: folder.socket,
            welcome: Welcome(program: "1.0", process: getpid(), session: "test", directory: "/d"), onStop: {})
        let client = try #require(try RemoteService.connect(to: folder.socket, program: "1.0"))
        service.isBusy = true
        let (first, second) = (Monitor<Bool?>(nil), Monitor<Bool?>(nil))
        try SystemThread.detach(name: "first") {
            let isAnswered = if case .counts = client.answer(.counts) { true } else { false }
            first.change { $0 = isAnswered }
        }
        service.waitForCaller()
        let isSilent = Monitor(false)
        try SystemThread.detach(name: "end") {
            listener.fallSilent()
            isSilent.change { $0 = true }
        }
        service.isBusy = false
        #expect(first.wait { $0 })
        isSilent.wait { $0 ? () : nil }
        try SystemThread.detach(name: "second") {
            let isAnswered = client.reply(to: .pause([1])) != nil
            second.change { $0 = isAnswered }
        }
        // One that comes now finds no service, as after the end.
        let late = Monitor<Bool?>(nil)
        try SystemThread.detach(name: "late") { [socket = folder.socket] in
            let isConnected = (try? RemoteService.connect(to: socket, program: "1.0")) ?? nil != nil
            late.change { $0 = isConnected }
        }
        listener.close(wasStopped: true)
        #expect(second.wait { $0 } == false)
        #expect(late.wait { $0 } == false)
        #expect(service.questions == [.counts] && service.commands.isEmpty)
        client.leave()
    }

    @Test("A job is added once under its number, by one service and by the next, and told again after its end")
    func keys() throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        let jobs = ["/a", "/b"].map { path in
            var job = Job(kind: .data, url: fixture.server.url(path))
            job.startsPaused = true
            return job
        }
        let first = try fixture.run(EffectsObserver())
        let ids = first.send(.add(jobs), from: 1, once: 40).added
        #expect(ids.count == 2)
        #expect(first.send(.add(jobs), from: 1, once: 40).added == ids)
        #expect(first.send(.add(jobs), from: 1, once: 41).added.first == ids.last)
        _ = first.close()
        let second = try fixture.run(EffectsObserver())
        defer { _ = second.close() }
        #expect(second.send(.add(jobs), from: 2, once: 40).added == ids)
        #expect(second.allSnapshots.count == 3)
        #expect(second.send(.add(jobs), from: 2).added.count == 2, "without a number each counts")
    }

    @Test("A download is added once for each set of options, whichever row of its URL has them, also in the next run")
    func rowsBeside() throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        func job(_ connections: Int?) -> Job {
            var job = Job(kind: .download, url: fixture.server.url("/x"))
            job.startsPaused = true
            job.headers = connections.map { ["X-Number": "\($0)"] } ?? [:]
            return job
        }
        let first = try fixture.run(EffectsObserver())
        let ids = [job(1), job(nil), job(2)].flatMap { first.send(.add([$0]), from: 1).added }
        #expect(ids.count == 3)
        for (job, id) in zip([job(1), job(nil), job(2)], ids) {
            #expect(first.send(.add([job]), from: 1).repeated == [id])
        }
        first.send(.remove([ids[0]], deletingParts: false))
        try #require(!first.allSnapshots.contains { $0.id == ids[0] })
        #expect(first.send(.add([job(nil), job(2)]), from: 1).repeated == Array(ids[1...]))
        #expect(first.send(.add([job(1)]), from: 1).added.count == 1)
        _ = first.close()
        let second = try fixture.run(EffectsObserver())
        defer { _ = second.close() }
        #expect(second.send(.add([job(nil), job(2)]), from: 1).repeated == Array(ids[1...]))
        #expect(second.allSnapshots.count == 3)
    }

    @Test("A paused download that is named again goes on, with a window and without one", arguments: [true, false])
    func namedAgain(showsRows: Bool) throws {
        let fixture = try SavedSessionFixture()
        defer { fixture.end() }
        fixture.server.setRoute("/x", .file(seed: 1, count: 1000))
        var job = Job(kind: .download, url: fixture.server.url("/x"))
        job.startsPaused = true
        let observer = EffectsObserver(showsRows: showsRows)
        let service = try fixture.run(observer)
        defer { _ = service.close() }
        let ids = service.send(.add([job]), from: 1).added
        #expect(service.send(.add([job]), from: 1).repeated == ids, "to be paused is no wish that it goes on")
        #expect(service.figures(of: ids).map(\.state) == [.paused])
        job.startsPaused = false
        #expect(service.send(.add([job]), from: 1).repeated == ids)
        try #require(observer.waitForEnds())
        #expect(service.results == [.completed])
    }
}
