import CLinux
import Foundation
import Glibc
import SessionSupport
import Testing

@testable import ServiceWire
@testable import TransferService

/// What clients learn of a service that one of them ends.
@Suite("The end of a service", .timeLimit(.minutes(1)))
struct ServiceStopTests {
    /// A service that counts the clients that end it.
    private static func listen(
        _ folder: ServiceListenerTests.Folder, counting stops: Monitor<Int>
    ) throws -> ServiceListener {
        try ServiceListener(
            ScriptedService(), at: folder.socket,
            welcome: Welcome(program: "1.0", process: getpid(), session: "test", directory: "/d"),
            onStop: { stops.change { $0 += 1 } })
    }

    @Test("A client learns that another one has ended the service, and whether the next connection starts it again")
    func stopping() throws {
        let folder = try ServiceListenerTests.Folder()
        let service = ScriptedService(rows: [])
        let stops = Monitor(0)
        let listener = try ServiceListener(
            service, at: folder.socket,
            welcome: Welcome(program: "1.0", process: getpid(), session: "test", directory: "/d"),
            onStop: { stops.change { $0 += 1 } })
        let news = Monitor<[RemoteService.Connection]>([])
        let client = try #require(
            try RemoteService.connect(
                to: folder.socket, program: "1.0", onConnection: { change in news.change { $0.append(change) } }))
        let other = try ServiceListenerTests.connect(folder)
        let isEnded = Monitor(false)
        let thread = Thread {
            let isDone = other.stop()
            isEnded.change { $0 = isDone }
        }
        thread.start()
        stops.wait { $0 > 0 ? () : nil }
        listener.close()
        isEnded.wait { $0 ? () : nil }
        #expect(news.wait { $0.first } == .stopped)
        client.close()
    }

    @Test("A client of another version ends the service")
    func stopOfOtherVersion() throws {
        let folder = try ServiceListenerTests.Folder()
        let stops = Monitor(0)
        let listener = try Self.listen(folder, counting: stops)
        let stream = FrameStream(try #require(try folder.socket.connect()))
        try stream.write(ClientMessage.hello(Hello(version: Wire.version + 1, program: "9.9", stops: true)))
        stops.wait { $0 == 1 ? () : nil }
        // The connection lasts until everything is saved.
        listener.close()
        #expect(throws: FrameStream.Failure.ended) { try stream.read(ServerMessage.self) }
        #expect(try RemoteService.stop(at: folder.socket, program: "1.0") == .absent)
    }

    @Test("A client that ends the service is told what it could not save, and so is a window")
    func unsavedEnd() throws {
        let folder = try ServiceListenerTests.Folder()
        let stops = Monitor(0)
        let listener = try Self.listen(folder, counting: stops)
        let client = try #require(try RemoteService.connect(to: folder.socket, program: "1.0"))
        let outcome = Monitor<RemoteService.StopOutcome?>(nil)
        try SystemThread.detach(name: "stop") { [socket = folder.socket] in
            let stopped = try? RemoteService.stop(at: socket, program: "1.0")
            outcome.change { $0 = stopped ?? .absent }
        }
        let hasStopped = Monitor(false)
        try SystemThread.detach(name: "window") { [stopped = hasStopped] in
            let isDone = client.stop()
            stopped.change { $0 = isDone }
        }
        stops.wait { $0 == 2 ? () : nil }
        listener.close(unsaved: "disk full")
        #expect(outcome.wait { $0 } == .unsaved("disk full"))
        hasStopped.wait { $0 ? () : nil }
        let end = client.close(leaving: [])
        #expect(end.unsaved == "disk full" && end.complaints == ["disk full"])
        #expect(end.closing == [WireLines.lostChanges("disk full")])
    }
}
