import SessionCore
import Testing

@testable import TransferService

/// The time that a run is said to have taken.
@Suite("Active time of a run")
struct ActiveTimeTests {
    enum Step {
        case pauses, resumes, ends
        case has(Phase)
    }

    @Test(
        "Pauses do not count, nor the waits for a slot after them",
        arguments: [
            ([(30, .ends)], 30),
            ([(5, .pauses), (6, .has(.paused)), (20, .resumes), (20, .has(.running)), (30, .ends)], 15),
            ([(5, .pauses), (5, .has(.running)), (6, .has(.paused)), (20, .resumes), (30, .ends)], 15),
            ([(5, .pauses), (20, .resumes), (20, .has(.queued)), (25, .has(.connecting)), (30, .ends)], 10),
            ([(5, .has(.queued)), (25, .has(.running)), (30, .ends)], 10),
            ([(5, .pauses), (30, .ends)], 5),
            ([(5, .has(.retrying)), (25, .has(.running)), (30, .ends)], 30),
        ] as [([(Int64, Step)], Int64)])
    func time(steps: [(Int64, Step)], milliseconds: Int64) throws {
        var run = TransferRow.Run()
        _ = run.recordStart(at: 100, addedAt: 90)
        for (moment, step) in steps {
            let time = 100 + moment
            switch step {
            case .pauses: run.recordPause(at: time)
            case .resumes: _ = run.recordResume(at: time)
            case .has(let phase): run.keepTime(in: phase, at: time)
            case .ends: run.recordEnd(at: time)
            }
        }
        #expect(try #require(run.endedAt) - #require(run.startedAt) == milliseconds)
    }

    @Test("The time of an attempt, which its average speed is of, leaves its pauses out, also the one that ends it")
    func attempt() {
        var metrics = TransferMetrics()
        metrics.beginAttempt(at: 10)
        metrics.keepTime(isStopped: true, at: 15)
        #expect(metrics.attemptPauses(at: 25) == 10 && metrics.attemptStartedAt == 10)
        metrics.keepTime(isStopped: false, at: 25)
        #expect(metrics.attemptPauses(at: 30) == 10 && metrics.attemptStartedAt == 20)
        metrics.keepTime(isStopped: true, at: 30)
        metrics.endAttempt(at: 34)
        #expect(metrics.attemptPauses(at: 50) == 14 && metrics.attemptStartedAt == nil)
        metrics.beginAttempt(at: 60)
        metrics.keepTime(isStopped: false, at: 61)
        #expect(metrics.attemptPauses(at: 70) == 1 && metrics.attemptStartedAt == 61)
        #expect(metrics.activeStart(endingAt: 70) == 51)
    }

    @Test("The library's stored start leaves pauses out too")
    func stored() {
        var metrics = TransferMetrics()
        metrics.keepTime(isStopped: true, at: 5)
        #expect(metrics.activeStart(endingAt: 30) == nil)
        metrics.beginAttempt(at: 10)
        for (time, isStopped) in [(12, true), (14, true), (20, false), (22, false), (25, true)] as [(Int64, Bool)] {
            metrics.keepTime(isStopped: isStopped, at: time)
        }
        #expect(metrics.activeStart(endingAt: 30) == 23)
        #expect(metrics.startedAt == 10)
    }
}
