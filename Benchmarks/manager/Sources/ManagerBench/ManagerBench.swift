import Dispatch
import Foundation
import SessionCore

/// Measures what the session manager costs beyond the engine.
@main
enum ManagerBench {
    static let count = 100_000

    static func main() throws {
        for round in 1...3 {
            print("round \(round) of 3, \(count) tasks")
            try createAndCancel(round: round)
            try answer(usingHandler: false)
            try answer(usingHandler: true)
        }
    }

    /// Creates every task, then cancels every one; ends when every completion handler has returned.
    private static func createAndCancel(round: Int) throws {
        let manager = makeManager()
        let done = DispatchSemaphore(value: 0)
        let before = Usage.now()
        var tasks: [SessionTask] = []
        tasks.reserveCapacity(count)
        for _ in 0..<count { tasks.append(try makeTask(manager, done)) }
        let created = Usage.now()
        for task in tasks { task.cancel() }
        for _ in 0..<count { done.wait() }
        let after = Usage.now()
        report("create and cancel", before, after)
        // Later rounds find the memory of the first one free.
        if round == 1 {
            let bytes = (created.residentBytes - before.residentBytes) / count
            print("  memory of a task that waits: \(bytes) bytes")
        }
    }

    /// Lets every task run to its end, answered without the engine.
    ///
    /// A completion handler gets Foundation's response, which costs as much to make as everything else together;
    /// whoever follows tasks by the manager's closures does not pay for it.
    private static func answer(usingHandler: Bool) throws {
        let manager = makeManager()
        manager.responseCache = AnswerEverything()
        let done = DispatchSemaphore(value: 0)
        if !usingHandler { manager.onComplete = { _, _ in done.signal() } }
        let before = Usage.now()
        for _ in 0..<count { try makeTask(manager, usingHandler ? done : nil).resume() }
        for _ in 0..<count { done.wait() }
        report(usingHandler ? "create to completion handler" : "create to onComplete", before, Usage.now())
    }

    private static func makeManager() -> SessionManager {
        let manager = SessionManager()
        manager.completionQueue = DispatchQueue(label: "ManagerBench")
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        return manager
    }

    private static func makeTask(_ manager: SessionManager, _ done: DispatchSemaphore?) throws -> SessionTask {
        var request = TransferRequest(url: "http://127.0.0.1/")
        request.cachePolicy = .returnCacheDataElseLoad
        guard let done else { return try manager.dataTask(with: request, completionHandler: nil) }
        return try manager.dataTask(with: request) { _, _, _ in done.signal() }
    }

    private static func report(_ name: String, _ before: Usage, _ after: Usage) {
        let wall = after.wall - before.wall
        let processor = after.processor - before.processor
        let each = wall / Double(count) * 1_000_000
        print(
            "  \(name): \(rounded(wall)) s, \(rounded(processor)) s of processor time, \(rounded(each)) µs a task")
    }

    private static func rounded(_ value: Double) -> String { String(format: "%.2f", value) }
}
