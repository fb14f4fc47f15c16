import Dispatch
import Foundation
import SessionCore

/// Measures what the session manager costs beyond the engine, prints a table, and fails when a limit is missed.
@main
enum ManagerBench {
    static let count = 100_000
    private static let rounds = 5

    static func main() async throws {
        var report = Report()
        // Later rounds find the memory of the first one free.
        report.add(Figure("memory of a task that waits", try waitingTasks().bytes, limit: 2_048, unit: "bytes"))
        // Time on the wall has neighbours in it; the shortest has the least of them.
        let best = try repeated { try createAndCancel() }.map(\.wall).min() ?? .infinity
        report.add(Figure("100,000 tasks created, then cancelled, at best", best, limit: 2, unit: "s of wall time"))
        let closures = try repeated { try answer(usingHandler: false) }
        report.add(Figure("from creation to `onComplete`", each(closures), limit: 8, unit: "µs of CPU time"))
        let handlers = try repeated { try answer(usingHandler: true) }
        report.add(Figure("from creation to a completion handler", each(handlers), limit: 8, unit: "µs of CPU time"))
        for figure in try await ProgressBench.run() { report.add(figure) }
        for figure in try await CallBench.run() { report.add(figure) }
        report.print()
        if report.hasMissed { exit(1) }
    }

    /// What a round took; the first is not counted.
    private static func repeated(_ round: () throws -> Usage) throws -> [Usage] {
        _ = try round()
        return try (0..<rounds).map { _ in try round() }
    }

    /// The median's CPU time for one task, in microseconds.
    private static func each(_ rounds: [Usage]) -> Double {
        rounds.map(\.processor).sorted()[rounds.count / 2] / Double(count) * 1_000_000
    }

    /// The memory of a task that was created and not resumed.
    private static func waitingTasks() throws -> (bytes: Double, tasks: Int) {
        let manager = makeManager()
        let done = Countdown(count)
        // What the first task of a process costs beyond the others, and reading the figure itself.
        _ = try makeTask(manager, done)
        _ = Usage.now()
        let before = Usage.now()
        var tasks: [SessionTask] = []
        tasks.reserveCapacity(count)
        for _ in 0..<count { tasks.append(try makeTask(manager, done)) }
        let bytes = Double(Usage.now().residentBytes - before.residentBytes) / Double(count)
        return (bytes, tasks.count)
    }

    /// Creates every task, then cancels every one; ends when every completion handler has returned.
    private static func createAndCancel() throws -> Usage {
        let manager = makeManager()
        let done = Countdown(count)
        let before = Usage.now()
        var tasks: [SessionTask] = []
        tasks.reserveCapacity(count)
        for _ in 0..<count { tasks.append(try makeTask(manager, done)) }
        for task in tasks { task.cancel() }
        done.wait()
        return Usage.now() - before
    }

    /// Lets every task run to its end, answered without the engine.
    private static func answer(usingHandler: Bool) throws -> Usage {
        let manager = makeManager()
        manager.responseCache = AnswerEverything()
        let done = Countdown(count)
        if !usingHandler { manager.onComplete = { _, _ in done.count() } }
        let before = Usage.now()
        for _ in 0..<count { try makeTask(manager, usingHandler ? done : nil).resume() }
        done.wait()
        return Usage.now() - before
    }

    private static func makeManager() -> SessionManager {
        let manager = SessionManager()
        manager.completionQueue = DispatchQueue(label: "ManagerBench")
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        return manager
    }

    private static func makeTask(_ manager: SessionManager, _ done: Countdown?) throws -> SessionTask {
        var request = TransferRequest(url: "http://127.0.0.1/")
        request.cachePolicy = .returnCacheDataElseLoad
        guard let done else { return try manager.dataTask(with: request, completionHandler: nil) }
        return try manager.dataTask(with: request) { response, _, _ in
            // What a handler usually asks for; nil for a task that was cancelled.
            if let response { precondition(response.statusCode == 200) }
            done.count()
        }
    }
}
