import Testing

@testable import SessionCore

/// What follows a failed attempt of one transfer.
@Suite("Tries of a transfer")
struct RetryControlTests {
    /// One attempt that failed, and what follows with two retries and ten seconds of patience with a host.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout RetryControl.Failure) -> Void
        var step: RetryControl.Step
    }

    private static func failure(_ code: SessionError.Code = .connectionLost) -> RetryControl.Failure {
        RetryControl.Failure(
            policy: RetryPolicy.Failure(
                error: SessionError(code, "It failed"), request: TransferRequest(url: "http://a.test/")))
    }

    private static var policy: RetryPolicy {
        var policy = RetryPolicy(maximumRetries: 2)
        policy.outagePatience = 10_000
        return policy
    }

    private static func charge(failures: Int, age: Int64 = 0, offline: Int64? = nil) -> HostAvailability.Charge {
        HostAvailability.Charge(isCounted: offline == nil, failures: failures, age: age, offline: offline)
    }

    private static func step(_ next: RetryControl.Step.Next, givesUpHost: Bool = false) -> RetryControl.Step {
        RetryControl.Step(next: next, givesUpHost: givesUpHost)
    }

    static let cases = [
        Case(testDescription: "a cut", change: { _ in }, step: step(.wait(milliseconds: 500))),
        Case(testDescription: "progress", change: { $0.keepsProgress = true }, step: step(.wait(milliseconds: 50))),
        Case(
            testDescription: "what the server asks for comes on top",
            change: { $0.policy.retryAfterMilliseconds = 7_000 }, step: step(.wait(milliseconds: 7_500))),
        Case(testDescription: "no second answer can be taken", change: { $0.canRestart = false }, step: step(.fail)),
        Case(testDescription: "what was sent may be stored", change: { $0.mayBeStored = true }, step: step(.fail)),
        Case(testDescription: "a failure for good", change: { $0.policy.error.code = .certificate }, step: step(.fail)),
        Case(
            testDescription: "a host in trouble is waited for",
            change: { ($0.charge, $0.hostWait) = (charge(failures: 1), 1_000) }, step: step(.waitForHost)),
        Case(
            testDescription: "not where another source is there",
            change: { ($0.charge, $0.hostWait, $0.hasOpenSource) = (charge(failures: 1), 1_000, true) },
            step: step(.wait(milliseconds: 500))),
        Case(
            testDescription: "but without a network",
            change: {
                ($0.charge, $0.hostWait, $0.hasOpenSource) = (charge(failures: 1, offline: 1), 1_000, true)
                $0.lacksNetwork = true
            }, step: step(.waitForHost)),
        Case(
            testDescription: "the failure is not the host's", change: { $0.hostWait = 1_000 },
            step: step(.wait(milliseconds: 500))),
        Case(
            testDescription: "a host within its patience",
            change: { ($0.charge, $0.hostWait) = (charge(failures: 9, age: 9_999), 1_000) },
            step: step(.waitForHost)),
        Case(
            testDescription: "a host beyond its patience is given up, and this transfer tries for itself",
            change: { ($0.charge, $0.hostWait) = (charge(failures: 3, age: 10_000), 1_000) },
            step: step(.wait(milliseconds: 500), givesUpHost: true)),
        Case(
            testDescription: "a failure for good says that the time of the others is not over",
            change: {
                $0.charge = charge(failures: 1)
                $0.policy.error.code = .certificate
            }, step: step(.fail)),
    ]

    @Test("says what follows the first failure", arguments: cases)
    func first(_ row: Case) {
        var failure = Self.failure()
        row.change(&failure)
        var control = RetryControl()
        #expect(control.failed(failure, Self.policy, now: 1_000, random: 0.5) == row.step)
    }

    @Test("counts tries without progress, and none without a network")
    func counting() {
        var control = RetryControl()
        var offline = Self.failure()
        (offline.charge, offline.lacksNetwork, offline.hostWait) = (Self.charge(failures: 0, offline: 5), true, 1_000)
        var progress = Self.failure()
        progress.keepsProgress = true
        var counts: [Int] = []
        for failure in [Self.failure(), offline, Self.failure(), progress, Self.failure(), Self.failure()] {
            #expect(control.failed(failure, Self.policy, now: 0, random: 0).next != .fail)
            counts.append(control.withoutProgress)
        }
        #expect(counts == [1, 1, 2, 0, 1, 2])
        #expect(control.mayTryAgain(after: Self.failure(), Self.policy, now: 0) == false)
        #expect(control.failed(Self.failure(), Self.policy, now: 0, random: 0).next == .fail)
        control.succeeded()
        #expect(control.latestReason == nil)
        #expect(control.mayTryAgain(after: Self.failure(), Self.policy, now: 0))
    }

    @Test("fails when its time is over, and has the others no longer wait for the host")
    func timeLimit() {
        var policy = Self.policy
        policy.timeLimit = 5_000
        var failure = Self.failure()
        failure.keepsProgress = false
        (failure.charge, failure.hostWait) = (Self.charge(failures: 1), 2_000)
        var control = RetryControl()
        #expect(control.failed(failure, policy, now: 0, random: 0.5) == Self.step(.waitForHost))
        #expect(control.failed(failure, policy, now: 3_000, random: 0.5) == Self.step(.waitForHost))
        // The host would be asked again after the limit, at which the last try begins.
        var late = control
        #expect(
            late.failed(failure, policy, now: 3_001, random: 0)
                == Self.step(.wait(milliseconds: 1_999), givesUpHost: true))
        #expect(late.failed(failure, policy, now: 5_000, random: 0) == Self.step(.fail, givesUpHost: true))
        #expect(control.failed(failure, policy, now: 6_000, random: 0.5) == Self.step(.fail, givesUpHost: true))
    }

    @Test("remembers until when its server has asked it to wait, and what it said last")
    func memory() {
        var control = RetryControl()
        var failure = Self.failure(.http)
        failure.policy.error.statusCode = 503
        failure.policy.retryAfterMilliseconds = 3_000
        _ = control.failed(failure, Self.policy, now: 1_000, random: 0)
        #expect(control.askedUntil == 4_000)
        #expect(control.latestCode == .http)
        #expect(control.latestReason == "It failed")
    }

    @Test("An attempt that broke off with new bytes begins the count anew, and keeps its reason")
    func brokeOff() {
        var control = RetryControl()
        let step = Self.step(.wait(milliseconds: 500))
        for _ in 1...9 {
            #expect(control.failed(Self.failure(), Self.policy, now: 0, random: 0.5) == step)
            control.brokeOff()
            #expect(control.withoutProgress == 0 && control.latestReason == "It failed")
        }
    }
}
