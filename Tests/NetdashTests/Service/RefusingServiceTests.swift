import CLinux
import Foundation
import Glibc
import SessionSupport
import Testing

@testable import ServiceWire
@testable import TransferService
@testable import netdash

/// A service that answers and refuses, as one over a queue does while its database is away.
@Suite("A service that refuses", .timeLimit(.minutes(1)))
struct RefusingServiceTests {
    private static let trouble = TransferFailure(
        kind: "queueAway", category: .network, message: "The database does not answer")

    private static let row = RowSnapshot(id: 1, kind: .download, name: "f", url: "http://h/f")

    private let folder: ServiceListenerTests.Folder
    private let listener: ServiceListener
    private let client: RemoteService

    init() throws {
        folder = try ServiceListenerTests.Folder()
        let service = ScriptedService(rows: [Self.row])
        service.setTrouble(Self.trouble)
        listener = try ServiceListenerTests.listen(service, folder)
        client = try ServiceListenerTests.connect(folder)
    }

    @Test("Questions of any length fail with the service's own reason, not with a lost connection")
    func questions() {
        let many = (1...2_500).map { UInt64($0) }
        for question: TransferQuestion in [
            .page(after: nil, limit: .max), .rows(many), .rows([1]), .figures(many), .jobs(many),
        ] {
            #expect(client.answer(question) == .failed(Self.trouble))
        }
        listener.close()
        #expect(client.answer(.page(after: nil, limit: .max)) == .failed(RemoteService.lost))
    }

    @Test("An addition is refused with the service's reason")
    func addition() throws {
        let answer = try #require(client.addAndSave([Job(kind: .download, url: "http://h/g")]))
        #expect(answer.reply.refusals.map(\.reason.string) == [Self.trouble.message])
        listener.close()
    }

    @Test("A wait for jobs of a queue, which tells no end of each, asks again")
    func waiting() throws {
        let folder = try ServiceListenerTests.Folder()
        let queue = ScriptedService(rows: [Self.row])
        let listener = try ServiceListener(
            queue, at: folder.socket,
            welcome: Welcome(program: "1.0", process: getpid(), session: "test", directory: "/d", selects: true),
            onStop: {})
        defer { listener.close() }
        let client = try ServiceListenerTests.connect(folder)
        try SystemThread.detach(name: "end") {
            queue.waitForQuestion(.rows([1]))
            var done = Self.row
            done.state = .done
            queue.change([done], notifier: [])
        }
        let code = EventFeed().wait(for: [1], of: client, try Signals()) { _ in }
        #expect(code == .success)
    }

    @Test("Only a process that says nothing is said to hang; of one that refuses its reason is told")
    func greeting() throws {
        defer { listener.close() }
        func problem(_ socket: ServiceSocket, patience: Int64 = 20_000) -> String? {
            socket.greeting(program: "1.0", patience: patience).problem(of: 7, unreached: "in use")
        }
        #expect(problem(folder.socket) == nil)
        let other = try ServiceListenerTests.Folder()
        #expect(problem(other.socket) == "in use")
        let listening = try other.socket.listen()
        let refusal = Locked(String?.none)
        let service = try SystemThread.start(name: "refusing") {
            var accepted: [FrameStream] = []
            while case let peer = cl_accept(listening.descriptor), peer >= 0 {
                accepted.append(FrameStream(peer))
                if let sentence = refusal.withLock({ $0 }) {
                    try? accepted.last?.write(ServerMessage.refused(sentence))
                }
            }
        }
        defer {
            Glibc.shutdown(listening.descriptor, Int32(SHUT_RDWR))
            service.join()
        }
        #expect(problem(other.socket, patience: 200) == WireErrors.hangs(7))
        refusal.withLock { $0 = "another version" }
        #expect(problem(other.socket) == "another version")
    }

    @Test("Orders of scripts end with the code of the reason, and none says that it was carried out")
    func orders() throws {
        let scripted = ServiceClient(service: client, isJSON: false, isQuiet: true)
        let tasks = TaskSelection.all
        for order: ServiceOrder in [
            .status(tasks), .pause(tasks), .resume(tasks), .cancel(tasks), .retry(tasks), .wait(tasks), .history(""),
        ] {
            let code = scripted.carryOut(order, JobList([]), EventFeed(), try Signals())
            #expect(code == .network, "\(order)")
        }
        let rate = try ValueParser.rates("1M", label: "limit")
        #expect(scripted.carryOut(.limit(rate, nil), JobList([]), EventFeed(), try Signals()) == .taskFailed)
        listener.close()
    }
}
