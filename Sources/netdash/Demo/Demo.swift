import Dashboard
import Foundation
import LoopbackServer

/// A server on this machine and a dozen transfers that show what netdash does with every kind of task.
///
/// Nothing is saved: downloads go to a temporary folder that ``end()`` removes.
final class Demo {
    /// How a task of the demo is meant to end.
    enum Expectation: Sendable, Equatable {
        case completes
        case fails(status: Int)
    }

    /// The demo's jobs, in the order of the table.
    let jobs: [Job]
    private let expectations: [Expectation]
    private let server: LoopbackServer
    private let folder: URL

    /// Starts the server.
    ///
    /// Throws when there is no port or no temporary folder to be had.
    init() throws {
        let server = LoopbackServer()
        try server.start()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let payload = folder.appendingPathComponent("holiday.tar")
        try Data(count: 24 << 20).write(to: payload)
        let entries = DemoPlan(folder: folder.path, payload: payload.path).entries
        for entry in entries { server.setRoute(entry.path, entry.behaviour) }
        jobs = entries.map { entry in
            var job = entry.job
            job.url = server.url(entry.path)
            return job
        }
        expectations = entries.map(\.expectation)
        self.server = server
        self.folder = folder
    }

    /// Success when every task ended as it was meant to, the failing ones included.
    ///
    /// A task that had not ended when the user left does not count against the demo.
    func judge(_ results: [TransferResult]) -> ExitCode {
        let isAsPlanned = zip(results, expectations).allSatisfy { result, expectation in
            switch (result, expectation) {
            case (.completed, .completes), (.cancelled, _), (.unfinished, _): true
            case (.failed(let failure), .fails(let status)): failure.httpStatus == status
            case (.completed, .fails), (.failed, .completes): false
            }
        }
        return isAsPlanned ? .success : .taskFailed
    }

    /// Stops the server and removes every file.
    func end() {
        server.stop()
        // The folder is in the system's temporary folder: what cannot be removed now is removed by the system later.
        try? FileManager.default.removeItem(at: folder)
    }
}
