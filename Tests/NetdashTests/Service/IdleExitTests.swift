import Testing

@testable import netdash

@Suite("The end of an idle service")
struct IdleExitTests {
    @Test("It ends after its seconds of rest without a break, and never where none were set")
    func rest() {
        var exit = IdleExit(seconds: 2)
        let steps: [(now: Int64, isAtRest: Bool, remaining: Int64?)] = [
            (1_000, false, nil), (2_000, true, 2_000), (3_500, true, 500), (3_600, false, nil), (9_000, true, 2_000),
            (11_000, true, 0), (12_000, true, 0),
        ]
        for step in steps {
            let remaining = exit.remaining(isAtRest: step.isAtRest, now: step.now)
            #expect(remaining == step.remaining, "at \(step.now)")
        }
        var asked = IdleExit(seconds: 2)
        let requests: [(now: Int64, lastRequest: Int64?, remaining: Int64)] = [
            (1_000, nil, 2_000), (3_000, 2_500, 1_500), (4_500, 2_500, 0),
        ]
        for step in requests {
            let remaining = asked.remaining(isAtRest: true, lastRequest: step.lastRequest, now: step.now)
            #expect(remaining == step.remaining, "at \(step.now)")
        }
        var never = IdleExit(seconds: nil)
        let remaining = never.remaining(isAtRest: true, now: 5)
        #expect(remaining == nil)
        var atOnce = IdleExit(seconds: 0)
        let none = atOnce.remaining(isAtRest: true, now: 5)
        #expect(none == 0)
    }
}
