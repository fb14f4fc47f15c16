import Dashboard
import Foundation
import LoopbackServer
import SessionSupport
import TransferService

/// Keeps the demo's dashboard busy: adds a task whenever few are running, and removes old ones with their files.
///
/// Safe from any thread.
final class DemoSupply: Sendable {
    /// The changes of one round.
    struct Order: Equatable {
        var adds = false
        /// The rows to remove from the list.
        var clears: [UInt64] = []
    }

    /// The number of tasks that run at the same time.
    static let crowd = 3
    /// The number of ended rows that stay in the list.
    static let memory = 20
    private static let interval = DispatchTimeInterval.milliseconds(1_500)

    private let server: LoopbackServer
    private let folder: String
    private let queue = DispatchQueue(label: "netdash.demo")
    private let isOver = Locked(false)
    private let awaitsEnd = Locked(false)

    init(server: LoopbackServer, folder: String) {
        self.server = server
        self.folder = folder
    }

    /// Supplies tasks from now on, until ``end()``.
    func begin(_ service: any TransferService) { look(at: service, round: 0) }

    /// Adds nothing while the user waits for the end of all tasks.
    func awaitEnd(_ awaits: Bool) { awaitsEnd.withLock { $0 = awaits } }

    func end() { isOver.withLock { $0 = true } }

    /// The changes for the current rows; nothing is added when the user has paused everything, or waits for the end.
    static func order(for rows: [RowFigures], awaitsEnd: Bool = false) -> Order {
        let ended = rows.filter(\.state.isFinal).map(\.id)
        let paused = rows.count { $0.state.isPaused }
        let moving = rows.count - ended.count - paused
        let adds = !awaitsEnd && moving < crowd && paused <= crowd && (paused == 0 || moving > 0)
        return Order(adds: adds, clears: ended.sorted().dropLast(memory))
    }

    // MARK: - Helpers

    private func look(at service: any TransferService, round: Int) {
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self, weak service] in
            guard let self, let service, !isOver.withLock({ $0 }) else { return }
            let rows = service.allSnapshots
            let order = Self.order(for: rows.map(\.figures), awaitsEnd: awaitsEnd.withLock(\.self))
            clear(order.clears, of: rows, in: service)
            if order.adds { service.send(.add([job(round)])) }
            look(at: service, round: order.adds ? round + 1 : round)
        }
    }

    private func clear(_ ids: [UInt64], of rows: [RowSnapshot], in service: any TransferService) {
        guard !ids.isEmpty else { return }
        service.send(.clear(ids))
        for row in rows where ids.contains(row.id) && row.kind == .download {
            // A file that cannot be removed goes with the folder.
            if let path = row.path?.string, path.hasPrefix(folder + "/") {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// The task of a round, with its own path on the server.
    private func job(_ round: Int) -> Job {
        let number = round / Self.plans.count + 2
        let plan = Self.plans[round % Self.plans.count]
        let path = "/\(number)/" + plan.path.replacing("#", with: String(number))
        server.setRoute(path, plan.behaviour(UInt64(round)))
        var job = Job(kind: plan.kind, url: server.url(path))
        if plan.kind == .download { job.directory = folder }
        if plan.kind == .upload { job.body = .text(String(repeating: "netdash ", count: 300_000)) }
        return job
    }

    private struct Plan: Sendable {
        var kind: Job.Kind
        /// The path, with `#` for the number of the round.
        var path: String
        var behaviour: @Sendable (UInt64) -> Behaviour
    }

    private static let mebibyte: Int64 = 1 << 20

    /// Each takes some ten seconds, except responses that come at once.
    private static let plans = [
        Plan(kind: .download, path: "map-#.mbtiles") { .file($0, 7, 700_000) },
        Plan(kind: .data, path: "v2/orders") { _ in DemoRoutes.data(#"{"orders": [{"id": 19, "state": "new"}]}"#) },
        Plan(kind: .download, path: "podcast-#.mp3") { .file($0, 4, 350_000) },
        Plan(kind: .download, path: "backup-#.tar.gz") {
            DemoRoutes.flakyFile(seed: $0, count: 5 * mebibyte, cutAfter: 2 * mebibyte, bytesPerSecond: 500_000)
        },
        Plan(kind: .upload, path: "incoming") { _ in
            DemoRoutes.upload(bytesPerSecond: 300_000).adjusting { $0.closesConnection = true }
        },
        Plan(kind: .download, path: "caf%C3%A9-menu-#.pdf") { .file($0, 3, 300_000) },
        Plan(kind: .download, path: "nightly-#.deb") { seed in
            DemoRoutes.busy(times: 1, retryAfterSeconds: 3, then: .file(seed, 4, 600_000))
        },
        Plan(kind: .download, path: "radio-#.ogg") {
            DemoRoutes.stream(seed: $0, count: 3 * mebibyte, bytesPerSecond: 250_000)
        },
        Plan(kind: .download, path: "missing-#.pdf") { _ in DemoRoutes.missing },
    ]
}

extension Behaviour {
    /// A file of some mebibytes at a limited speed.
    fileprivate static func file(_ seed: UInt64, _ mebibytes: Int64, _ bytesPerSecond: Int64) -> Behaviour {
        DemoRoutes.file(seed: seed, count: mebibytes << 20, bytesPerSecond: bytesPerSecond)
    }
}
