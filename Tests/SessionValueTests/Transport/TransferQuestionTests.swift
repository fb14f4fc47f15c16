import Testing

@testable import SessionCore

/// What the state machine does about questions: who waits for an answer, and whose slot it has meanwhile.
@Suite("Questions of a transfer")
struct TransferQuestionTests {
    typealias Machine = TransferStateMachineTests

    static let askedAboutResponse: [Machine.Input] = Machine.transferring + [.ask(.disposition)]
    static let askedFirst: [Machine.Input] = Machine.running + [.ended(.askFirst(.someTrust))]

    static let questionRows: [Machine.Row] = [
        Machine.Row(
            name: "a server is asked about before the next attempt", inputs: askedFirst,
            actions: [.ask(.someTrust)],
            state: .preparing),
        Machine.Row(
            name: "and the next attempt follows the answer",
            inputs: askedFirst + [.answer(.someTrust), .prepared(.ready)],
            actions: [.startAttempt], state: .connecting),
        Machine.Row(
            name: "a question that comes up during a pause waits for the slot",
            inputs: Machine.holding + [.ended(.askFirst(.someTrust))], actions: [.stopHoldTimer, .flushPart],
            state: .parked
        ),
        Machine.Row(
            name: "and is asked with it",
            inputs: Machine.holding + [.ended(.askFirst(.someTrust)), .intent(.running), .slot],
            actions: [.ask(.someTrust)], state: .preparing),
        Machine.Row(
            name: "an answer is taken once", inputs: askedFirst + [.answer(.someTrust), .ended(.again)], actions: [],
            state: .preparing),
        Machine.Row(
            name: "a cancellation does not wait for an answer", inputs: askedFirst + [.intent(Machine.discard)],
            actions: [.withdraw(.someTrust), .releaseSlot, .closePart(keeps: false)],
            state: .closing(.cancelled(keepsPart: false))),
        Machine.Row(
            name: "nor for one about a body", inputs: [.intent(.running), .slot, .ask(.body), .intent(Machine.keep)],
            actions: [.withdraw(.body), .releaseSlot, .closePart(keeps: true)], state: Machine.cancelledKeeping),
        Machine.Row(
            name: "nor for one that was not asked yet",
            inputs: Machine.holding + [.ended(.askFirst(.someTrust)), .intent(Machine.keep)],
            actions: [.withdraw(.someTrust), .closePart(keeps: true)], state: Machine.cancelledKeeping),
        Machine.Row(
            name: "a failure withdraws what was asked", inputs: askedFirst + [.fail],
            actions: [.withdraw(.someTrust), .releaseSlot, .closePart(keeps: true)], state: .closing(.failed)),
        Machine.Row(
            name: "a response that is asked about goes with its attempt",
            inputs: askedAboutResponse + [.intent(Machine.keep)],
            actions: [.endAttempt, .releaseSlot, .closePart(keeps: true)], state: Machine.cancelledKeeping),
        Machine.Row(
            name: "and so does a redirect", inputs: Machine.running + [.ask(.someRedirect), .intent(Machine.keep)],
            actions: [.endAttempt, .releaseSlot, .closePart(keeps: true)], state: Machine.cancelledKeeping),
        Machine.Row(
            name: "a pause gives the slot away while the caller decides", inputs: askedFirst + [.intent(.suspended)],
            actions: [.releaseSlot], state: .preparing),
        Machine.Row(
            name: "the answer then waits for the resume",
            inputs: askedFirst + [.intent(.suspended), .answer(.someTrust), .prepared(.ready)], actions: [],
            state: .parked),
        Machine.Row(
            name: "or, resumed before, for a slot",
            inputs: askedFirst + [.intent(.suspended), .intent(.running), .answer(.someTrust), .prepared(.ready)],
            actions: [.joinQueue], state: .waiting),
        Machine.Row(
            name: "a pause keeps a response that is asked about", inputs: askedAboutResponse + [.intent(.suspended)],
            actions: [.hold, .releaseSlot, .startHoldTimer], state: .holding(accepted: true)),
    ]

    @Test(
        "knows which question is open",
        arguments: [
            (askedFirst, .someTrust), (askedFirst + [.answer(.someTrust)], nil),
            (askedFirst + [.answer(.body)], .someTrust),
            (askedFirst + [.intent(.suspended)], .someTrust), (askedFirst + [.intent(Machine.keep)], nil),
            (Machine.holding + [.ended(.askFirst(.someTrust))], nil), (askedAboutResponse, .disposition),
            (askedAboutResponse + [.intent(.suspended)], .disposition),
            (askedAboutResponse + [.intent(.suspended), .holdExpired], nil),
            (askedAboutResponse + [.intent(Machine.keep)], nil),
            (askedAboutResponse + [.intent(.suspended), .intent(.running)], .disposition),
            (askedAboutResponse + [.answer(.disposition)], nil),
            (askedAboutResponse + [.answer(.disposition), .ended(.again)], nil),
            (Machine.transferring + [.ask(.someTrust)], nil), ([.ask(.disposition)], nil),
            (Machine.running + [.ask(.someRedirect)], .someRedirect),
            (Machine.running + [.ask(.someRedirect), .intent(.suspended), .holdExpired], nil),
        ] as [([Machine.Input], CallerQuestion?)])
    func openQuestion(inputs: [Machine.Input], question: CallerQuestion?) {
        var machine = TransferStateMachine()
        for input in inputs { _ = Machine.feed(input, to: &machine) }
        #expect(machine.openQuestion == question)
        #expect(machine.isResponsePending == (question?.holdsResponse ?? false))
    }

    @Test("takes an answer for the question it was given to, and no other")
    func numberedAnswers() {
        var machine = TransferStateMachine()
        for input in Machine.running + [.ended(.askFirst(.someTrust))] { _ = Machine.feed(input, to: &machine) }
        for number in 1...2 { machine.ask(.someTrust, number: number) }
        let answers = [1, 2, 2].map { machine.answered(number: $0) }
        #expect(answers == [false, true, false])
        for input: Machine.Input in [.prepared(.ready), .ended(.askFirst(.someTrust))] {
            _ = Machine.feed(input, to: &machine)
        }
        #expect(machine.openQuestion == .someTrust)
        let lateAnswer = machine.answered(number: 2)
        #expect(!lateAnswer)
    }

    @Test("asks, waits and withdraws as the rows say", arguments: questionRows)
    func row(_ row: Machine.Row) {
        var machine = TransferStateMachine()
        var actions: [Machine.Action] = []
        for input in row.inputs { actions = Machine.feed(input, to: &machine) }
        #expect(actions == row.actions)
        #expect(machine.state == row.state)
    }
}
