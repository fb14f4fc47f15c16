import Foundation
import ServiceWire
import SessionSupport
import Testing
import TransferService

@testable import FleetQueue

/// A window program on a queue, and a client of its socket.
final class TestWindow {
    let process: ChildProcess
    let client: RemoteService
    let socket: ServiceSocket
    private let folder: String

    init(_ test: TestQueue, session: String = "fleet") throws {
        folder = "/tmp/fw-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        Cleanup.note(folder: folder)
        let environment = test.environment.merging(["HOME": folder, "XDG_RUNTIME_DIR": folder]) { $1 }
        process = try ChildProcess(
            ChildProcess.path(of: "netdash-fleet"), ["window", "--session", session], environment: environment)
        socket = try #require(ServiceSocket.ofSession(session, environment: environment))
        client = try Self.connect(to: socket, process)
    }

    deinit { client.leave() }

    private static func connect(to socket: ServiceSocket, _ process: ChildProcess) throws -> RemoteService {
        let end = FleetClock.now() + 40
        while FleetClock.now() < end {
            if let client = try? RemoteService.connect(to: socket, program: "test") { return client }
            usleep(10_000)
        }
        throw FleetError(.away, "no window: \(process.output)")
    }

    /// A further client of the same window.
    func another() throws -> RemoteService { try Self.connect(to: socket, process) }

    func matches(_ request: RowRequest) throws -> RowMatches { try client.matches(request).get() }

    /// The rows of a request by their names.
    func names(_ change: (inout RowRequest) -> Void) throws -> [String] {
        var request = RowRequest(limit: 100)
        change(&request)
        return try matches(request).rows.map(\.name.string)
    }

    /// The number of rows in a state, as the window's aggregate has it.
    func count(_ state: RowState) throws -> Int {
        try matches(RowRequest(limit: 0)).totals.cells.first { $0.state == state }?.count ?? 0
    }
}

/// The complaints that a subscriber receives, and their ends.
final class Complaints: Sendable {
    private let sentences = Locked<[String]>([])
    private let resolved = Locked<[String]>([])
    private let ended = Locked<[String]>([])
    private let subscription = Locked<(any Subscription)?>(nil)

    init(of client: RemoteService) {
        let subscription = client.subscribe(Interest(showsRows: true, framesPerSecond: 20)) { [weak self] in
            self?.take()
        }
        self.subscription.withLock { $0 = subscription }
        take()
    }

    private func take() {
        let subscription = subscription.withLock { $0 }
        let update = subscription?.take()
        // The next update is made once it is asked for.
        defer { subscription?.askForNext() }
        for notice in update?.notices ?? [] {
            switch notice {
            case .complaint(let sentence): sentences.withLock { $0.append(sentence.string) }
            case .resolved(let sentence, let complaint):
                resolved.withLock { $0.append(sentence.string) }
                if let complaint { ended.withLock { $0.append(complaint.string) } }
            default: break
            }
        }
    }

    var all: [String] { sentences.withLock { $0 } }

    /// Whether the end of a problem was told.
    func areResolved(by sentence: String) -> Bool { resolved.withLock { $0.contains(sentence) } }

    /// The complaints whose end was told.
    var allEnded: [String] { ended.withLock { $0 } }

    func contains(_ part: String) -> Bool { all.contains { $0.contains(part) } }
}
