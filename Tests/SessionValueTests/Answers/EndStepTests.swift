import Testing

@testable import SessionCore

@Suite("Steps: what the end of an attempt means")
struct EndStepTests {
    private final class GivenEnd: EndState {
        var isOrderly = true
        var failure: SessionError?
        var trustQuestion: TrustReview.Question?
        var verdict = AttemptVerdict.accepted
        var isCutOff = false
        var isCutInCoding = false
        var refusal: SessionError?
        var hasBegun = false
        var isLeftAtChallenge = false
        var proxyRefusal: NextStep?
        var stepAfterSilence: NextStep?
        var hostName = "host"
        var url = "http://host/file"

        init(_ give: (GivenEnd) -> Void = { _ in }) { give(self) }
    }

    private static let error = SessionError(.badResponse, "bad")

    @Test("An accepted body is whole, cut, or failed")
    func accepted() {
        #expect(EndSteps.verdict(on: GivenEnd()) == .bodyEnded)
        #expect(EndSteps.verdict(on: GivenEnd { $0.isOrderly = false }) == .failed)
        #expect(
            EndSteps.verdict(
                on: GivenEnd {
                    $0.isOrderly = false
                    $0.isCutOff = true
                }) == .failed)
        for cut in [GivenEnd { $0.isCutOff = true }, GivenEnd { $0.isCutInCoding = true }] {
            guard case .next(.retry(let error, nil)) = EndSteps.verdict(on: cut) else {
                return #expect(Bool(false), "it is tried again")
            }
            #expect(error.code == .truncated && error.failingURL == "http://host/file")
        }
    }

    @Test("A challenge that cannot be read is a failure of credentials, and nothing is sent again")
    func unreadableChallenge() {
        let end = GivenEnd {
            $0.verdict = .pending
            ($0.hasBegun, $0.isLeftAtChallenge) = (true, true)
        }
        guard case .next(.fail(let error)) = EndSteps.verdict(on: end) else {
            return #expect(Bool(false), "it fails at once")
        }
        #expect(error.code == .authenticationRequired && error.statusCode == 401)
    }

    @Test("An error's status is the answer, however its page ends")
    func refused() {
        let ends: [(GivenEnd) -> Void] = [
            { $0.isOrderly = false }, { $0.isCutOff = true }, { $0.isCutInCoding = true },
        ]
        for end in ends {
            let given = GivenEnd { $0.refusal = Self.error }
            end(given)
            #expect(EndSteps.verdict(on: given) == .next(.fail(Self.error)))
            given.verdict = .decided(.authenticate)
            #expect(EndSteps.verdict(on: given) == .next(.authenticate), "the head has decided")
        }
        #expect(EndSteps.verdict(on: GivenEnd { $0.refusal = Self.error }) == .bodyEnded, "the page is whole")
    }

    @Test("What a head has decided follows, and so does what was noticed before", arguments: [true, false])
    func decided(isOrderly: Bool) {
        func verdict(_ next: NextStep, failure: SessionError? = nil) -> EndVerdict {
            EndSteps.verdict(
                on: GivenEnd {
                    $0.isOrderly = isOrderly
                    $0.failure = failure
                    $0.verdict = .decided(next)
                })
        }
        #expect(verdict(.complete) == .bodyEnded)
        #expect(verdict(.nextRange) == .next(.nextRange))
        #expect(verdict(.authenticate) == .next(.authenticate))
        guard case .next(.fail(let error)) = verdict(.nextRange, failure: Self.error) else {
            return #expect(Bool(false), "the failure explains the end")
        }
        #expect(error.code == .badResponse && error.failingURL == "http://host/file")
    }

    @Test("A server that says nothing is tried again, unless something else is known of it")
    func unanswered() {
        guard case .next(.retry(let silent, nil)) = EndSteps.verdict(on: GivenEnd { $0.verdict = .pending }),
            case .next(.retry(let cut, nil)) = EndSteps.verdict(
                on: GivenEnd {
                    $0.verdict = .pending
                    $0.hasBegun = true
                })
        else { return #expect(Bool(false), "it is tried again") }
        #expect(silent.message == TransportErrors.emptyReply("host"))
        #expect(cut.message == TransportErrors.cutReply("host"))
        #expect(
            EndSteps.verdict(
                on: GivenEnd {
                    $0.isOrderly = false
                    $0.verdict = .pending
                }) == .failed)
        let step = NextStep.uploadStep(restarts: "r")
        #expect(
            EndSteps.verdict(
                on: GivenEnd {
                    $0.isOrderly = false
                    $0.verdict = .pending
                    $0.stepAfterSilence = step
                }) == .next(step))
        for isOrderly in [true, false] {
            let refused = GivenEnd {
                $0.isOrderly = isOrderly
                $0.verdict = .pending
                $0.proxyRefusal = .fail(Self.error)
            }
            #expect(EndSteps.verdict(on: refused) == .next(.fail(Self.error)))
        }
    }
}
