import Testing

@testable import TransferService

@Suite("When a subscriber is told") struct DeliveryPlanTests {
    private enum Step {
        case add(by: Int64, needsTimer: Bool)
        case timer(at: Int64, publishes: Bool)
    }

    private func check(_ steps: [Step]) {
        var plan = DeliveryPlan()
        for (index, step) in steps.enumerated() {
            switch step {
            case .add(let moment, let expected):
                let needsTimer = plan.add(by: moment)
                #expect(needsTimer == expected, "step \(index)")
            case .timer(let now, let expected):
                let publishes = plan.takeDue(at: now)
                #expect(publishes == expected, "step \(index)")
            }
        }
    }

    @Test("A later wish needs no timer, a sooner one does")
    func timers() {
        check([
            .add(by: 250, needsTimer: true), .add(by: 250, needsTimer: false), .add(by: 300, needsTimer: false),
            .add(by: 5, needsTimer: true), .add(by: 250, needsTimer: false),
        ])
    }

    @Test("The timer of a wish that was overtaken publishes nothing, and the next wish keeps its own moment")
    func staleTimer() {
        check([
            .add(by: 250, needsTimer: true), .add(by: 100, needsTimer: true), .timer(at: 90, publishes: false),
            .timer(at: 100, publishes: true), .timer(at: 101, publishes: false), .add(by: 350, needsTimer: true),
            // The first wish's.
            .timer(at: 250, publishes: false), .add(by: 500, needsTimer: false), .timer(at: 350, publishes: true),
            .timer(at: 600, publishes: false),
        ])
    }

    @Test("A timer that goes off a moment too soon still publishes")
    func tolerance() {
        check([.add(by: 250, needsTimer: true), .timer(at: 249, publishes: true)])
    }
}
