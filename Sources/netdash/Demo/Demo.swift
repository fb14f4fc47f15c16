import Dashboard
import Foundation
import Glibc
import LoopbackServer
import SessionSupport
import TransferService

/// Runs a local server and a dozen transfers that show every kind of task.
///
/// Nothing is saved: downloads go to a temporary folder that ``end()`` removes.
final class Demo {
    /// The intended end of a demo task.
    enum Expectation: Sendable, Equatable {
        case completes
        case fails(status: Int)
    }

    /// The jobs, in the order of the table.
    let jobs: [Job]
    private let expectations: [Expectation]
    private let server: LoopbackServer
    private let folder: URL

    /// Starts the server; throws without a free port or a temporary folder.
    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-demo-\(UUID().uuidString)")
        let payload = folder.appendingPathComponent("holiday.tar")
        try Self.fill(folder, with: payload)
        let server = LoopbackServer()
        do {
            try server.start()
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
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

    /// Makes the folder with a file to upload.
    private static func fill(_ folder: URL, with payload: URL) throws(UsageError) {
        var number = mkdir(folder.path, 0o700) == 0 ? nil : errno
        if number == nil {
            number = FileReplacement.write(Array(repeating: 0, count: 24 << 20), to: payload.path, access: .user)
        }
        guard let number else { return }
        try? FileManager.default.removeItem(at: folder)
        let parent = folder.deletingLastPathComponent().path
        var error = UsageError(argument: "demo", ProgramErrors.noDemoFolder(parent, SystemWords.text(number)))
        error.isOfDisk = true
        throw error
    }

    /// Returns success when every task ended as intended, including the failing ones.
    ///
    /// A task that had not ended when the user left does not count.
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

    /// Adds further tasks to the demo while the dashboard is open.
    func supply() -> DemoSupply { DemoSupply(server: server, folder: folder.path) }

    /// Stops the server and removes every file.
    func end() {
        server.stop()
        // The system removes leftovers from its temporary folder later.
        try? FileManager.default.removeItem(at: folder)
    }
}

/// The tasks of the demo, each with its server behaviour and its intended end.
private struct DemoPlan {
    /// One task.
    struct Entry {
        var path: String
        var behaviour: Behaviour
        /// The job, still without its URL.
        var job: Job
        var expectation = Demo.Expectation.completes
    }

    private static let mebibyte: Int64 = 1 << 20

    let folder: String
    /// The path of a file to upload.
    let payload: String

    /// About twelve seconds of work, all three kinds.
    var entries: [Entry] { downloads + uploads + requests }

    private var downloads: [Entry] {
        [
            download("/debian-12.iso", DemoRoutes.file(seed: 1, count: 36 * Self.mebibyte, bytesPerSecond: 3_400_000)),
            download("/photos.zip", DemoRoutes.file(seed: 2, count: 16 * Self.mebibyte, bytesPerSecond: 1_800_000)),
            download("/fast.bin", DemoRoutes.file(seed: 3, count: 64 * Self.mebibyte)),
            download(
                "/interrupted.tar",
                DemoRoutes.flakyFile(
                    seed: 4, count: 12 * Self.mebibyte, cutAfter: 5 * Self.mebibyte, bytesPerSecond: 2_000_000)),
            download("/nightly.deb", busy),
            download("/stream.ogg", DemoRoutes.stream(seed: 5, count: 6 * Self.mebibyte, bytesPerSecond: 900_000)),
            Entry(
                path: "/missing.pdf", behaviour: DemoRoutes.missing, job: job(.download),
                expectation: .fails(status: 404)),
        ]
    }

    /// A server that is busy once.
    private var busy: Behaviour {
        DemoRoutes.busy(times: 1, retryAfterSeconds: 2, then: DemoRoutes.file(seed: 7, count: 4 * Self.mebibyte))
    }

    /// Closes its connection: the slow upload needs one with a small window, or the kernel drops what it sends.
    private var fastUpload: Behaviour { DemoRoutes.upload().adjusting { $0.closesConnection = true } }

    private var uploads: [Entry] {
        [
            Entry(path: "/upload/fast", behaviour: fastUpload, job: upload()),
            Entry(path: "/upload/slow", behaviour: DemoRoutes.upload(bytesPerSecond: 2_500_000), job: upload()),
        ]
    }

    private var requests: [Entry] {
        let orders = #"{"orders": [{"id": 17, "state": "paid"}, {"id": 18, "state": "sent"}]}"#
        let report = DemoRoutes.stream(seed: 6, count: 2 * Self.mebibyte, bytesPerSecond: 300_000)
        return [
            Entry(path: "/v2/orders", behaviour: DemoRoutes.data(orders), job: job(.data)),
            Entry(path: "/v2/report", behaviour: report, job: job(.data)),
            Entry(
                path: "/v2/nothing", behaviour: DemoRoutes.missing, job: job(.data), expectation: .fails(status: 404)),
        ]
    }

    private func download(_ path: String, _ behaviour: Behaviour) -> Entry {
        Entry(path: path, behaviour: behaviour, job: job(.download))
    }

    private func job(_ kind: Job.Kind) -> Job {
        var job = Job(kind: kind, url: "")
        if kind == .download { job.directory = folder }
        return job
    }

    private func upload() -> Job {
        var job = job(.upload)
        job.body = .file(path: payload)
        return job
    }
}
