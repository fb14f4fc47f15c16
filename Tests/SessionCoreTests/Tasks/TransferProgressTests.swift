import Dispatch
import Foundation
import Testing

@testable import SessionCore

@Suite(.timeLimit(.minutes(1))) struct TransferProgressTests {
    private let calls = EventLog<String>()

    private func makeProgress() -> TransferProgress {
        let progress = TransferProgress()
        progress.pausingHandler = { [calls] in calls.add("pause") }
        progress.resumingHandler = { [calls] in calls.add("resume") }
        progress.cancellationHandler = { [calls] in calls.add("cancel") }
        return progress
    }

    @Test("LT1: two thousand times pause and resume leave the task running")
    func pauseThenResumeLeavesTheTaskRunning() throws {
        let fixture = ManagerFixture()
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let progress = try #require(fixture.manager.downloadProgress(for: task))
        task.resume()
        for _ in 0..<2_000 {
            progress.pause()
            #expect(task.state == .suspended)
            progress.resume()
            #expect(task.state == .running)
            #expect(task.control.intent == .running)
        }
    }

    @Test("C09 C10: handlers that a caller sets are called beside what the task does, and take nothing from it")
    func ownHandlers() async throws {
        let fixture = ManagerFixture()
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let progress = try #require(fixture.manager.downloadProgress(for: task))
        progress.pausingHandler = { [calls] in calls.add("pause \(task.state)") }
        progress.resumingHandler = { [calls] in calls.add("resume \(task.state)") }
        progress.cancellationHandler = { [calls] in calls.add("cancel \(task.state != .running)") }
        progress.resume()
        progress.pause()
        progress.resume()
        progress.cancel()
        #expect(calls.entries == ["resume running", "pause suspended", "resume running", "cancel true"])
        #expect((await task.completion().error as? SessionError)?.code == .cancelled)
    }

    @Test("LT2: handlers are called inline and once per real change")
    func handlersAreCalledOncePerChange() {
        let progress = makeProgress()
        progress.pause()
        progress.pause()
        #expect(calls.entries == ["pause"])
        progress.resume()
        progress.resume()
        #expect(calls.entries == ["pause", "resume"])
        progress.cancel()
        progress.cancel()
        #expect(calls.entries == ["pause", "resume", "cancel"])
        #expect(progress.isCancelled)
    }

    @Test("LT3: calls from a parent arrive inline and in order")
    func callsFromAParentArriveInOrder() {
        let parent = Progress(parent: nil, userInfo: nil)
        parent.totalUnitCount = 1
        parent.addChild(makeProgress(), withPendingUnitCount: 1)
        parent.pause()
        parent.resume()
        parent.pause()
        parent.cancel()
        #expect(calls.entries == ["pause", "resume", "pause", "cancel"])
    }

    @Test("LT3 KB16: counts read on one thread while another sets them are whole")
    func countsAreReadWhole() async {
        let progress = makeProgress()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for count in 1...5_000 { _ = progress.update(completed: Int64(count), total: 10_000) }
            }
            group.addTask {
                var (last, falls): (Int64, Int) = (0, 0)
                while last < 5_000 {
                    let now = progress.completedUnitCount
                    if now < last { falls += 1 }
                    // On one processor the writer needs the thread.
                    if now == last { await Task.yield() }
                    last = now
                }
                #expect(falls == 0)
            }
        }
        #expect(progress.completedUnitCount == 5_000)
    }

    @Test func aChildOfTheUsersOwnIsPausedAndCancelledToo() {
        let progress = makeProgress()
        progress.totalUnitCount = 1
        let child = Progress(parent: nil, userInfo: nil)
        progress.addChild(child, withPendingUnitCount: 1)
        progress.pause()
        #expect(child.isPaused)
        progress.resume()
        #expect(!child.isPaused)
        progress.cancel()
        #expect(child.isCancelled)
    }

    @Test("LT4: an unknown total is -1 and an empty body ends as one of one, also for the parent")
    func anEmptyBodyEndsAsOneOfOne() {
        let parent = Progress(parent: nil, userInfo: nil)
        parent.totalUnitCount = 1
        let progress = makeProgress()
        parent.addChild(progress, withPendingUnitCount: 1)
        #expect(progress.totalUnitCount == -1)
        #expect(progress.isIndeterminate)
        #expect(!progress.update(completed: 0, total: 0))
        #expect(!progress.isFinished)
        progress.complete(at: 0)
        #expect(progress.isFinished)
        #expect(parent.fractionCompleted == 1)
    }

    /// The response to an upload, and what its progress then shows.
    struct Ending: Sendable {
        var sent: Int64
        var length: Int64?
        var status: Int?
        var counts: [Int64]
        var isFinished: Bool
    }

    @Test(
        "An upload that is refused before its body was sent stays where it has stopped, also for the parent",
        arguments: [
            Ending(sent: 5, length: 10, status: 413, counts: [5, 10], isFinished: false),
            Ending(sent: 0, length: 10, status: 401, counts: [0, 10], isFinished: false),
            Ending(sent: 5, length: nil, status: 413, counts: [5, -1], isFinished: false),
            Ending(sent: 10, length: 10, status: 404, counts: [10, 10], isFinished: true),
            Ending(sent: 0, length: 0, status: 404, counts: [1, 1], isFinished: true),
            Ending(sent: 5, length: 10, status: 201, counts: [5, 5], isFinished: true),
            Ending(sent: 5, length: nil, status: nil, counts: [5, 5], isFinished: true),
        ])
    func refusedUpload(_ ending: Ending) {
        let parent = Progress(parent: nil, userInfo: nil)
        parent.totalUnitCount = 1
        let progress = makeProgress()
        parent.addChild(progress, withPendingUnitCount: 1)
        _ = progress.end(sent: ending.sent, of: ending.length, statusCode: ending.status)
        #expect([progress.completedUnitCount, progress.totalUnitCount] == ending.counts)
        #expect(progress.isFinished == ending.isFinished && parent.isFinished == ending.isFinished)
    }

    @Test("LT5: a parent reaches the task until it has really ended")
    func aParentReachesTheTaskUntilItsEnd() {
        let parent = Progress(parent: nil, userInfo: nil)
        parent.totalUnitCount = 1
        let progress = makeProgress()
        parent.addChild(progress, withPendingUnitCount: 1)
        _ = progress.update(completed: 100, total: 100)
        #expect(!progress.isFinished)
        parent.cancel()
        #expect(calls.entries == ["cancel"])
    }

    @Test("LT6: a handler set on a paused progress is not called at once")
    func aHandlerSetLateIsNotCalled() async {
        let progress = TransferProgress()
        progress.pause()
        progress.cancel()
        progress.pausingHandler = { [calls] in calls.add("pause") }
        progress.cancellationHandler = { [calls] in calls.add("cancel") }
        await withCheckedContinuation { continuation in DispatchQueue.global().async { continuation.resume() } }
        #expect(calls.entries.isEmpty)
    }

    @Test("C16 KB17: the total is set before the count") func theTotalIsSetBeforeTheCountSoThatTheFractionNeverJumps() {
        let progress = makeProgress()
        // With the count first it would be complete for a moment, and its parent would believe that for ever.
        let parent = Progress(parent: nil, userInfo: nil)
        parent.totalUnitCount = 1
        parent.addChild(progress, withPendingUnitCount: 1)
        _ = progress.update(completed: 60, total: 100)
        _ = progress.update(completed: 150, total: 200)
        #expect(progress.fractionCompleted == 0.75 && parent.fractionCompleted == 0.75)
        _ = progress.update(completed: 300, total: 200)
        #expect(progress.fractionCompleted < 1)
    }

    @Test("C13: a change is reported only when there is one")
    func aChangeIsReportedOnlyWhenThereIsOne() {
        let progress = makeProgress()
        #expect(progress.update(completed: 5, total: nil))
        #expect(!progress.update(completed: 5, total: nil))
        #expect(progress.update(completed: 5, total: 10))
    }

    @Test func pausingAfterTheTaskWasResumedByOtherMeansIsAChangeAgain() throws {
        let fixture = ManagerFixture()
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let upload = try #require(fixture.manager.uploadProgress(for: task))
        let download = try #require(fixture.manager.downloadProgress(for: task))
        download.resume()
        upload.pause()
        #expect(task.state == .suspended)
        #expect(download.isPaused)
        download.resume()
        #expect(task.state == .running)
        #expect(!upload.isPaused)
        upload.pause()
        #expect(task.state == .suspended)
    }

    @Test("C09 C10: both progress objects say whether the task is paused; only the cancelled one says so")
    func bothSayWhatTheTaskDoes() throws {
        let fixture = ManagerFixture()
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        let (upload, download) = (try #require(task.progress(.upload)), try #require(task.progress(.download)))
        var paused: [Bool] { [upload.isPaused, download.isPaused, task.state == .suspended] }
        #expect(paused == [false, false, true])
        task.resume()
        upload.pause()
        #expect(paused == [true, true, true])
        download.resume()
        #expect(paused == [false, false, false])
        task.suspend()
        #expect(paused == [true, true, true])
        task.resume()
        #expect(paused == [false, false, false])
        task.cancel()
        #expect([upload.isCancelled, download.isCancelled] == [false, false])
        #expect(paused == [false, false, false])
    }

    @Test("C11: resuming the progress of a new task starts it")
    func resumingTheProgressOfANewTaskStartsIt() throws {
        let fixture = ManagerFixture()
        let task = try fixture.manager.dataTask(with: fixture.request, completionHandler: nil)
        try #require(fixture.manager.downloadProgress(for: task)).resume()
        #expect(task.state == .running)
        #expect(fixture.engine.description(of: task) != nil)
    }

    @Test("C14 C25 KB07: the handlers keep nothing alive")
    func theHandlersKeepNothingAlive() throws {
        let fixture = ManagerFixture()
        weak var task: SessionTask?
        let progress: Progress
        do {
            let created = try SessionManager(configuration: .default) { _ in ScriptedEngine() }
                .dataTask(with: fixture.request, completionHandler: nil)
            task = created
            progress = try #require(created.progress(.download))
        }
        #expect(task == nil)
        progress.pause()
        progress.resume()
        progress.cancel()
    }
}
