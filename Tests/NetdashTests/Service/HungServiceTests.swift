import Foundation
import Glibc
import SessionSupport
import Testing

@testable import Dashboard
@testable import ServiceWire
@testable import TransferService
@testable import netdash

/// What becomes of commands for a service that says nothing.
@Suite("Commands for a service that hangs", .timeLimit(.minutes(1)))
struct HungServiceTests {
    private typealias Folder = ServiceListenerTests.Folder

    /// A service that says nothing from its first command on, until it is woken.
    private final class Service: Sendable {
        private struct State {
            var hangs = false
            var keys: [UInt64?] = []
        }

        private let listening: ServiceSocket.Listening
        private let state = Monitor(State())

        init(_ folder: Folder) throws {
            listening = try folder.socket.listen()
            try SystemThread.detach(name: "hung") { [self] in
                while case let peer = accept(listening.descriptor, nil, nil), peer >= 0 {
                    let stream = FrameStream(peer)
                    try? SystemThread.detach(name: "hung-client") { [self] in serve(stream) }
                }
            }
        }

        /// The numbers of the additions.
        var keys: [UInt64?] { state.withLock { $0.keys } }

        func wake() { state.change { $0.hangs = false } }

        func end() {
            wake()
            Glibc.shutdown(listening.descriptor, Int32(SHUT_RDWR))
        }

        private func serve(_ stream: FrameStream) {
            guard case .hello? = try? stream.read(ClientMessage.self) else { return }
            waitUntilAwake()
            let welcome = Welcome(program: "1.0", process: 1, session: "s", directory: "/")
            try? stream.write(ServerMessage.welcome(welcome))
            while case .request(let number, .send(let command, once: let key))? = try? stream.read(ClientMessage.self) {
                if case .add = command { state.change { $0.keys.append(key) } }
                let isFirst = state.change { state in
                    state.hangs = state.keys.count < 2
                    return state.hangs
                }
                // The connection was given up by then.
                if isFirst { return waitUntilAwake() }
                try? stream.write(ServerMessage.reply(number, .sent(CommandReply(added: [7]))))
            }
        }

        private func waitUntilAwake() { state.wait { $0.hangs ? nil : () } }
    }

    /// A client of a service that may welcome it later than the client's patience allows.
    private static func connect(_ once: () throws -> RemoteService?) -> RemoteService {
        while true {
            if let client = try? once() { return client }
        }
    }

    @Test("An addition to a service that answers again, after it was given up, is carried out once")
    func speaksAgain() throws {
        let folder = try Folder()
        let service = try Service(folder)
        defer { service.end() }
        let client = Self.connect {
            try RemoteService.connect(
                to: folder.socket, program: "1.0", patience: 1_000, additionPatience: 20_000, restart: {}
            ) { connection in
                if case .hangs = connection { service.wake() }
            }
        }
        defer { client.leave() }
        let reply = client.send(.add([Job(kind: .download, url: "http://h/f")]))
        #expect(reply == CommandReply(added: [7]))
        // One that was late with this connection too has got it three times.
        #expect(service.keys.count >= 2 && Set(service.keys).count == 1 && service.keys[0] != nil)
    }

    @Test("A window tells of each command that got no answer, and the form of an addition or an edit comes back")
    func told() throws {
        let folder = try Folder()
        let service = try Service(folder)
        defer { service.end() }
        let client = Self.connect {
            try RemoteService.connect(to: folder.socket, program: "1.0", patience: 300)
        }
        defer { client.leave() }
        let mailbox = try Mailbox<Message>()
        let publisher = RowPublisher(mailbox: mailbox, framesPerSecond: 10, announcesEnd: false, log: nil)
        let runner = EffectRunner(service: client, publisher: publisher, patience: 20_000)
        let job = Job(kind: .download, url: "http://h/f")
        let amendment = try JobAmendment("dir=/isos", defaults: Job(kind: .download, url: ""))
        let commands: [TransferCommand] = [
            .pause([1]), .add([job]), .replace(1, with: job), .amend([1, 2], amendment),
            .remove([1], deletingParts: false), .restore([1]), .undo(.pause([1])), .setLimits(TransferLimits()),
        ]
        for command in commands { #expect(runner.perform([.send(command)]) == [.unanswered(command)]) }
        #expect(runner.perform([.send(.clear([1]))]).allSatisfy { $0 != .unanswered(.clear([1])) })
    }
}
