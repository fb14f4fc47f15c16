import Testing

@testable import SessionCore

@Suite struct TaskLifecycleTests {
    @Test func aNewTaskIsSuspendedAndTheFirstResumeStartsIt() {
        var lifecycle = TaskLifecycle()
        #expect(lifecycle.state == .suspended)
        #expect(lifecycle.resume() == .start(revision: 1))
        #expect(lifecycle.state == .running)
        #expect(lifecycle.isStarted)
    }

    @Test func resumeAndSuspendAreIdempotent() {
        var lifecycle = TaskLifecycle()
        #expect(lifecycle.suspend() == .none)
        #expect(lifecycle.resume() == .start(revision: 1))
        #expect(lifecycle.resume() == .none)
        #expect(lifecycle.suspend() == .hold(revision: 2))
        #expect(lifecycle.suspend() == .none)
        #expect(lifecycle.resume() == .proceed(revision: 3))
    }

    @Test func aTaskThatNeverStartedIsCancelledWithoutTheEngine() {
        var lifecycle = TaskLifecycle()
        #expect(lifecycle.cancel() == .endUnstarted)
        #expect(lifecycle.state == .canceling)
        #expect(lifecycle.reviseCancellation() == nil)
    }

    @Test func nothingBringsACancelledTaskBack() {
        var lifecycle = TaskLifecycle()
        _ = lifecycle.resume()
        #expect(lifecycle.cancel() == .stop(revision: 2))
        #expect(lifecycle.cancel() == .none)
        #expect(lifecycle.resume() == .none)
        #expect(lifecycle.suspend() == .none)
        #expect(lifecycle.state == .canceling)
        #expect(lifecycle.reviseCancellation() == 3)
    }

    @Test func aTaskCompletesOnceFromAnyState() {
        for prepare in [{ _ in }, { _ = $0.resume() }, { _ = $0.cancel() }] as [(inout TaskLifecycle) -> Void] {
            var lifecycle = TaskLifecycle()
            prepare(&lifecycle)
            let ends = [lifecycle.complete(), lifecycle.complete()]
            #expect(ends == [true, false])
            #expect(lifecycle.resume() == .none)
            #expect(lifecycle.suspend() == .none)
            #expect(lifecycle.cancel() == .none)
        }
    }

    @Test func anOlderWishNeverReplacesANewerOne() {
        let control = TransferControl()
        control.setIntent(.suspended, revision: 2)
        control.setIntent(.running, revision: 1)
        #expect(control.intent == .suspended)
    }
}
