import Dispatch
import SessionSupport
import Testing

@testable import SessionCore

/// Those who look on: monitors, the log, the light of activity.
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

    // MARK: - The light of activity

    /// Waits that the test ends.
    private final class Waits: Sendable {
        let list = Locked([(seconds: Double, body: @Sendable () -> Void)]())

        var seconds: [Double] { list.withLock { $0.map(\.seconds) } }

        func end(_ index: Int) {
            let body = list.withLock { $0[index].body }
            body()
        }
    }

    @Test("M14 KB45: the light goes on late and off late, once for each change, by the tasks that run")
    func light() async throws {
        let waits = Waits()
        let log = EventLog<Bool>()
        let indicator = ActivityIndicator(
            startDelay: 1, endDelay: 0.17, queue: fixture.queue, onChange: { log.add($0) },
            wait: { seconds, body in waits.list.withLock { $0.append((seconds, body)) } })
        fixture.manager.add(indicator)
        let first = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let second = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        first.resume()
        second.resume()
        await fixture.settle()
        #expect(waits.seconds == [1] && !indicator.isVisible && indicator.runningCount == 2)
        waits.end(0)
        #expect(await log.wait(count: 1) == [true] && indicator.isVisible)
        // The original subtracts a task that is paused and then cancelled twice.
        first.suspend()
        first.cancel()
        _ = await first.completion()
        await fixture.settle()
        #expect(indicator.runningCount == 1 && waits.seconds == [1])
        fixture.engine.complete(second)
        _ = await second.completion()
        await fixture.settle()
        #expect(waits.seconds == [1, 0.17] && indicator.isVisible && indicator.runningCount == 0)
        let third = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        third.resume()
        await fixture.settle()
        waits.end(1)
        #expect(indicator.isVisible, "A gap shorter than the delay does not put it out")
        fixture.engine.complete(third)
        _ = await third.completion()
        await fixture.settle()
        waits.end(1)
        #expect(indicator.isVisible, "The wait of the gap before is over")
        waits.end(2)
        #expect(await log.wait(count: 2) == [true, false] && !indicator.isVisible)
    }

    @Test("What is over before the delay never lights it")
    func shortTask() async throws {
        let waits = Waits()
        let log = EventLog<Bool>()
        let indicator = ActivityIndicator(
            startDelay: 1, endDelay: 0.17, queue: fixture.queue, onChange: { log.add($0) },
            wait: { seconds, body in waits.list.withLock { $0.append((seconds, body)) } })
        fixture.manager.add(indicator)
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        fixture.engine.complete(task)
        _ = await task.completion()
        await fixture.settle()
        waits.end(0)
        await fixture.settle()
        #expect(!indicator.isVisible && log.entries.isEmpty)
    }

    @Test("Real delays are waited for")
    func realDelays() async throws {
        let log = EventLog<Bool>()
        fixture.manager.add(
            ActivityIndicator(startDelay: 0, endDelay: 0, queue: fixture.queue, onChange: { log.add($0) }))
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        task.resume()
        #expect(await log.wait(count: 1) == [true])
        fixture.engine.complete(task)
        #expect(await log.wait(count: 2) == [true, false])
    }
}

/// The states of the light, all of them.
@Suite("States of the light of activity")
struct ActivityStateTests {
    private static func state(_ phase: ActivityState.Phase) -> ActivityState {
        var state = ActivityState()
        if phase == .inactive { return state }
        _ = state.change(isRunning: true)
        if phase == .delayingStart { return state }
        _ = state.delayEnded()
        if phase == .active { return state }
        _ = state.change(isRunning: false)
        return state
    }

    @Test(
        "Each change of each phase",
        arguments: [
            (.inactive, true, .delayingStart, .wait), (.inactive, false, .inactive, .nothing),
            (.inactive, nil, .inactive, .nothing), (.delayingStart, true, .delayingStart, .nothing),
            (.delayingStart, false, .inactive, .nothing), (.delayingStart, nil, .active, .show),
            (.active, true, .active, .nothing), (.active, false, .delayingEnd, .wait),
            (.active, nil, .active, .nothing), (.delayingEnd, true, .active, .nothing),
            (.delayingEnd, false, .delayingEnd, .nothing), (.delayingEnd, nil, .inactive, .hide),
        ] as [(ActivityState.Phase, Bool?, ActivityState.Phase, ActivityState.Action)])
    func table(
        _ phase: ActivityState.Phase, _ isRunning: Bool?, _ next: ActivityState.Phase, _ action: ActivityState.Action
    ) {
        var state = Self.state(phase)
        #expect(state.phase == phase)
        #expect((isRunning.map { state.change(isRunning: $0) } ?? state.delayEnded()) == action)
        #expect(state.phase == next && state.isVisible == (next == .active || next == .delayingEnd))
    }
}
