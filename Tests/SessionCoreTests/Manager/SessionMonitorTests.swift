import SessionSupport
import Testing

@testable import SessionCore

/// Monitors and the log.
@Suite("Monitors of a manager", .timeLimit(.minutes(1)))
struct SessionMonitorTests {
    /// Writes down what it hears.
    private struct Recorder: SessionMonitor {
        let name: String
        let log: EventLog<String>

        func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
            switch event {
            case .resumed: log.add("\(name) resumed")
            case .suspended: log.add("\(name) suspended")
            case .completed: log.add("\(name) completed")
            default: break
            }
        }
    }

    private let fixture = ManagerFixture()

    @Test("Each hears of everything, behind the closure and in its order; one that is taken out hears no more")
    func everyOneHears() async throws {
        let log = EventLog<String>()
        fixture.manager.onTaskEvent = { _, event in if case .resumed = event { log.add("closure") } }
        fixture.manager.monitors = [Recorder(name: "a", log: log)]
        fixture.manager.add(Recorder(name: "b", log: log))
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        await fixture.settle()
        #expect(log.entries == ["closure", "a resumed", "b resumed"])
        fixture.manager.monitors.removeFirst()
        fixture.engine.complete(task)
        _ = await task.completion()
        await fixture.settle()
        #expect(log.entries.dropFirst(3) == ["b completed"])
    }

    @Test("The log has a line for start, answer and end, without secrets and without control characters")
    func log() async throws {
        let lines = EventLog<String>()
        fixture.manager.add(SessionLog { lines.add($0) })
        let request = TransferRequest(url: "http://me:pass0@127.0.0.1/a?token=abc", method: "POST")
        let task = try fixture.manager.dataTask(with: request, completionHandler: nil)
        task.resume()
        var head = ResponseHead(statusCode: 204, url: "http://127.0.0.1/b?password=abc")
        head.url += "\u{1B}[2J"
        fixture.engine.publish(.response(task.id, head))
        fixture.engine.publish(.retrying(task.id, attempt: 2, afterMilliseconds: 5, reason: "no\u{9B}1m"))
        fixture.engine.complete(task) { $0.error = SessionError(.timedOut, "Too late") }
        _ = await task.completion()
        await fixture.settle()
        let name = "[\(task.taskIdentifier)] "
        let entries = lines.entries
        #expect(entries.allSatisfy { $0.hasPrefix(name) } && entries.count == 4, "\(entries)")
        #expect(entries.first?.contains("POST http://") == true && entries.last?.hasSuffix(": Too late") == true)
        let all = entries.joined()
        #expect(!["abc", "pass0", "\u{1B}", "\u{9B}"].contains(where: all.contains), "\(all)")
    }

    /// Knows which tasks run.
    private final class RunningTasks: SessionMonitor {
        let ids = Locked<Set<TransferID>>([])

        func task(_ task: SessionTask, didReceive event: SessionTaskEvent) {
            switch event {
            case .resumed: ids.withLock { _ = $0.insert(task.id) }
            case .suspended, .completed: ids.withLock { _ = $0.remove(task.id) }
            default: break
            }
        }
    }

    @Test("M14 KB45: a monitor knows which tasks run, also where one is paused and then cancelled")
    func runningTasks() async throws {
        let running = RunningTasks()
        fixture.manager.add(running)
        let first = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let second = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        first.resume()
        second.resume()
        await fixture.settle()
        #expect(running.ids.withLock { $0 } == [first.id, second.id])
        // The original subtracts such a task twice.
        first.suspend()
        first.cancel()
        _ = await first.completion()
        await fixture.settle()
        #expect(running.ids.withLock { $0 } == [second.id])
        fixture.engine.complete(second)
        _ = await second.completion()
        await fixture.settle()
        #expect(running.ids.withLock { $0.isEmpty })
    }
}
