import Testing

@testable import SessionCore

/// What the caller wishes between two looks of the loop, walked through in every order.
@Suite("Wishes that the loop has not seen", .timeLimit(.minutes(1)))
struct UnseenWishTests {
    /// Two threads around one transfer: a caller who changes the wish at any moment, and a loop that reads it when it
    /// finds the message.
    private struct Model: Hashable {
        var machine = TransferStateMachine()
        var intent = TransferControl.Intent.running
        var hasMessage = true
        var isQueued = false
        /// Whether the attempt on the wire is latched; nil without one.
        var pauseFlag: Bool?

        enum Step: CaseIterable {
            case pause, resume, look, grant, prepare, head, hangUp, expire
        }

        /// Makes a step; false when it is not possible here.
        ///
        /// The latch is what `latches` says it is, whenever the owner has to set it.
        mutating func take(_ step: Step, _ latches: (Model) -> Bool) -> Bool {
            switch step {
            case .pause: return change(to: .suspended)
            case .resume: return change(to: .running)
            case .look:
                guard hasMessage else { return false }
                hasMessage = false
                apply(machine.reconcile(intent), latches)
            case .grant:
                guard isQueued else { return false }
                isQueued = false
                apply(machine.slotGranted(), latches)
            case .prepare:
                guard machine.state == .preparing else { return false }
                apply(machine.prepared(.ready), latches)
            case .head:
                guard machine.state == .connecting else { return false }
                machine.headAccepted()
            case .hangUp:
                guard pauseFlag != nil else { return false }
                pauseFlag = nil
                apply(machine.attemptEnded(.again), latches)
            case .expire:
                guard machine.isHolding else { return false }
                apply(machine.holdExpired(), latches)
            }
            return true
        }

        private mutating func change(to newer: TransferControl.Intent) -> Bool {
            guard intent != newer else { return false }
            intent = newer
            hasMessage = true
            return true
        }

        private mutating func apply(_ actions: [TransferStateMachine.Action], _ latches: (Model) -> Bool) {
            for action in actions {
                switch action {
                case .joinQueue: isQueued = true
                case .leaveQueue: isQueued = false
                case .startAttempt, .hold, .release: pauseFlag = latches(self)
                case .endAttempt: pauseFlag = nil
                case .releaseSlot, .prepare, .ask, .withdraw, .startHoldTimer, .stopHoldTimer, .startRetryTimer,
                    .stopRetryTimer, .flushPart, .finish, .closePart, .announce:
                    break
                }
            }
        }

        /// Nobody wishes anything else, and the loop does all it can.
        mutating func settle(_ latches: (Model) -> Bool) {
            while [Step.look, .grant, .prepare].contains(where: { take($0, latches) }) {}
        }

        /// Whether a settled transfer does what is wished.
        var isRight: Bool {
            switch intent {
            case .running: pauseFlag == false && !machine.isHolding
            case .suspended, .cancelled: pauseFlag != false
            }
        }
    }

    @Test("However wishes and looks interleave, the transfer ends up as wished")
    func everyOrder() {
        let wrong = Self.walk { $0.machine.isHolding }
        #expect(wrong.isEmpty, "\(wrong.prefix(3))")
    }

    @Test("The walk finds a latch that follows a wish the machine has not seen")
    func walkFinds() {
        #expect(!Self.walk { $0.intent == .suspended }.isEmpty)
    }

    /// Every order of ten steps; the models that did not settle as wished.
    private static func walk(_ latches: (Model) -> Bool) -> [Model] {
        var reached: Set = [Model()]
        var wrong: [Model] = []
        for _ in 0..<10 {
            var next: Set<Model> = []
            for model in reached {
                for step in Model.Step.allCases {
                    var changed = model
                    if changed.take(step, latches) { next.insert(changed) }
                }
            }
            reached = next
            wrong += reached.filter { model in
                var settled = model
                settled.settle(latches)
                return !settled.isRight
            }
        }
        return wrong
    }

    /// Wishes in the order of their arrival, and what stands in the end.
    @Test(
        "A cancellation is final, whoever wishes something else afterwards",
        arguments: [
            ([.running, .cancelled(keepsPart: true), .running], .cancelled(keepsPart: true)),
            ([.cancelled(keepsPart: true), .suspended], .cancelled(keepsPart: true)),
            ([.cancelled(keepsPart: true), .cancelled(keepsPart: false)], .cancelled(keepsPart: false)),
            ([.cancelled(keepsPart: false), .cancelled(keepsPart: true)], .cancelled(keepsPart: false)),
            ([.running, .suspended, .running], .running),
        ] as [([TransferControl.Intent], TransferControl.Intent)])
    func cancellation(_ wishes: [TransferControl.Intent], _ final: TransferControl.Intent) {
        let control = TransferControl()
        let numbered = TransferControl()
        for (index, intent) in wishes.enumerated() {
            control.setIntent(intent)
            numbered.setIntent(intent, revision: UInt64(index + 1))
        }
        #expect(control.intent == final)
        #expect(numbered.intent == final)
    }
}
