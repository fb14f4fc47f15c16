import FuzzTestSupport
import Testing

@testable import SessionCore

/// The life of a transfer, input by input, without a socket.
@Suite("Transfer state machine")
struct TransferStateMachineTests {
    typealias Action = TransferStateMachine.Action
    typealias State = TransferStateMachine.State

    enum Input: Sendable {
        case intent(TransferControl.Intent)
        /// The caller lets it go on before its server wants to be asked again.
        case resumedTooSoon
        case slot
        case prepared(TransferStateMachine.Preparation)
        case head
        case ended(TransferStateMachine.AttemptEnd)
        case holdExpired
        case retryDue
        case hastened
        case finished(Bool)
        case closed
        case fail
        case ask(CallerQuestion)
        case answer(CallerQuestion)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var inputs: [Input]
        var actions: [Action]
        var state: State
        var testDescription: String { name }
    }

    static let running: [Input] = [.intent(.running), .slot, .prepared(.ready)]
    static let transferring: [Input] = running + [.head]
    static let holding: [Input] = transferring + [.intent(.suspended)]
    static let backingOff: [Input] = transferring + [.ended(.retry)]
    static let finishing: [Input] = transferring + [.ended(.bodyComplete)]
    static let keep = TransferControl.Intent.cancelled(keepsPart: true)
    static let discard = TransferControl.Intent.cancelled(keepsPart: false)
    static let cancelledKeeping = State.closing(.cancelled(keepsPart: true))

    static let startRows: [Row] = [
        Row(name: "resume joins the queue", inputs: [.intent(.running)], actions: [.joinQueue], state: .waiting),
        Row(
            name: "resuming twice does nothing", inputs: [.intent(.running), .intent(.running)], actions: [],
            state: .waiting),
        Row(
            name: "a slot leads to looking for a part", inputs: [.intent(.running), .slot], actions: [.prepare],
            state: .preparing),
        Row(name: "a prepared transfer starts", inputs: running, actions: [.startAttempt], state: .connecting),
        Row(
            name: "a whole part needs no attempt", inputs: [.intent(.running), .slot, .prepared(.nothingToTransfer)],
            actions: [.finish], state: .finishing),
        Row(
            name: "a refused destination fails", inputs: [.intent(.running), .slot, .prepared(.failed)],
            actions: [.releaseSlot, .closePart(keeps: true)], state: .closing(.failed)),
        Row(
            name: "a part that cannot be looked for at the moment is looked for again later",
            inputs: [.intent(.running), .slot, .prepared(.retry)], actions: [.releaseSlot, .startRetryTimer],
            state: .backingOff),
        Row(
            name: "a pause takes the place of that wait",
            inputs: [.intent(.running), .slot, .intent(.suspended), .prepared(.retry)], actions: [.releaseSlot],
            state: .parked),
        Row(name: "an accepted head lets the body move", inputs: transferring, actions: [], state: .transferring),
        Row(name: "a whole body is proven", inputs: finishing, actions: [.finish], state: .finishing),
        Row(
            name: "a proven file is announced", inputs: finishing + [.finished(true)],
            actions: [.releaseSlot, .announce(.completed)], state: .ended),
        Row(
            name: "a file that cannot be finished has its part put in order", inputs: finishing + [.finished(false)],
            actions: [.releaseSlot, .closePart(keeps: true)], state: .closing(.failed)),
        Row(
            name: "a body without a head is whole too", inputs: running + [.ended(.bodyComplete)], actions: [.finish],
            state: .finishing),
        Row(
            name: "a redirect keeps the slot", inputs: running + [.ended(.again)], actions: [.prepare],
            state: .preparing),
    ]

    static let pauseRows: [Row] = [
        Row(name: "suspending what never ran does nothing", inputs: [.intent(.suspended)], actions: [], state: .parked),
        Row(
            name: "a pause in the queue leaves it", inputs: [.intent(.running), .intent(.suspended)],
            actions: [.leaveQueue], state: .parked),
        Row(
            name: "a pause while storage looks is remembered", inputs: [.intent(.running), .slot, .intent(.suspended)],
            actions: [], state: .preparing),
        Row(
            name: "and takes effect when storage answers",
            inputs: [.intent(.running), .slot, .intent(.suspended), .prepared(.ready)], actions: [.releaseSlot],
            state: .parked),
        Row(
            name: "and is forgotten when resumed before",
            inputs: [.intent(.running), .slot, .intent(.suspended), .intent(.running), .prepared(.ready)],
            actions: [.startAttempt], state: .connecting),
        Row(
            name: "what needs no attempt waits for the resume too",
            inputs: [.intent(.running), .slot, .intent(.suspended), .prepared(.nothingToTransfer)],
            actions: [.releaseSlot], state: .parked),
        Row(
            name: "which finishes it",
            inputs: [
                .intent(.running), .slot, .intent(.suspended), .prepared(.nothingToTransfer), .intent(.running), .slot,
            ],
            actions: [.finish], state: .finishing),
        Row(
            name: "a pause while connecting holds", inputs: running + [.intent(.suspended)],
            actions: [.hold, .releaseSlot, .startHoldTimer], state: .holding(accepted: false)),
        Row(
            name: "a head may arrive while holding", inputs: running + [.intent(.suspended), .head], actions: [],
            state: .holding(accepted: true)),
        Row(
            name: "a pause gives the slot back at once", inputs: holding,
            actions: [.hold, .releaseSlot, .startHoldTimer], state: .holding(accepted: true)),
        Row(
            name: "pausing twice does nothing", inputs: holding + [.intent(.suspended)], actions: [],
            state: .holding(accepted: true)),
        Row(
            name: "a resumed hold waits for a slot", inputs: holding + [.intent(.running)], actions: [.joinQueue],
            state: .holdingForSlot(accepted: true)),
        Row(
            name: "and goes on with one", inputs: holding + [.intent(.running), .slot],
            actions: [.stopHoldTimer, .release], state: .transferring),
        Row(
            name: "or holds again", inputs: holding + [.intent(.running), .intent(.suspended)], actions: [.leaveQueue],
            state: .holding(accepted: true)),
        Row(
            name: "a hold without a head goes on connecting",
            inputs: running + [.intent(.suspended), .intent(.running), .slot], actions: [.stopHoldTimer, .release],
            state: .connecting),
        Row(
            name: "a long pause gives the connection up", inputs: holding + [.holdExpired],
            actions: [.endAttempt, .flushPart], state: .parked),
        Row(
            name: "and goes on with a new attempt",
            inputs: holding + [.holdExpired, .intent(.running), .slot, .prepared(.ready)], actions: [.startAttempt],
            state: .connecting),
        Row(
            name: "a hold may expire in the queue", inputs: holding + [.intent(.running), .holdExpired],
            actions: [.endAttempt, .flushPart], state: .waiting),
        Row(
            name: "a hang-up during a pause parks", inputs: holding + [.ended(.retry)],
            actions: [.stopHoldTimer, .flushPart], state: .parked),
        Row(
            name: "a redirect during a pause parks", inputs: holding + [.ended(.again)],
            actions: [.stopHoldTimer, .flushPart], state: .parked),
        Row(
            name: "a hang-up in the queue stays queued", inputs: holding + [.intent(.running), .ended(.retry)],
            actions: [.stopHoldTimer, .flushPart], state: .waiting),
        Row(
            name: "a body that becomes whole during a pause does not end it", inputs: holding + [.ended(.bodyComplete)],
            actions: [.stopHoldTimer, .flushPart], state: .parked),
        Row(
            name: "the resume finishes it", inputs: holding + [.ended(.bodyComplete), .intent(.running), .slot],
            actions: [.finish], state: .finishing),
        Row(
            name: "a body that becomes whole in the queue is finished",
            inputs: holding + [.intent(.running), .ended(.bodyComplete)],
            actions: [.stopHoldTimer, .leaveQueue, .finish], state: .finishing),
        Row(
            name: "a failure during a pause ends", inputs: holding + [.ended(.failed)],
            actions: [.stopHoldTimer, .closePart(keeps: true)], state: .closing(.failed)),
        Row(
            name: "a pause while proving changes nothing", inputs: finishing + [.intent(.suspended)], actions: [],
            state: .finishing),
        Row(
            name: "a pause ends the wait for a retry", inputs: backingOff + [.intent(.suspended)],
            actions: [.stopRetryTimer], state: .parked),
        Row(
            name: "a late timer does nothing", inputs: transferring + [.holdExpired], actions: [], state: .transferring),
    ]

    static let endRows: [Row] = [
        Row(
            name: "a failed attempt waits", inputs: backingOff, actions: [.releaseSlot, .startRetryTimer, .flushPart],
            state: .backingOff),
        Row(
            name: "a pause in a wait that the server has asked for does not shorten it",
            inputs: backingOff + [.intent(.suspended), .resumedTooSoon], actions: [.startRetryTimer], state: .backingOff
        ),
        Row(
            name: "a body that is whole waits for nobody",
            inputs: holding + [.ended(.bodyComplete), .resumedTooSoon], actions: [.joinQueue], state: .waiting),
        Row(
            name: "a connection that was kept goes on at once", inputs: holding + [.resumedTooSoon],
            actions: [.joinQueue], state: .holdingForSlot(accepted: true)),
        Row(name: "and queues again", inputs: backingOff + [.retryDue], actions: [.joinQueue], state: .waiting),
        Row(
            name: "a hastened one waits no more", inputs: backingOff + [.hastened],
            actions: [.stopRetryTimer, .joinQueue], state: .waiting),
        Row(name: "and disturbs no attempt", inputs: transferring + [.hastened], actions: [], state: .transferring),
        Row(
            name: "a final failure puts the part in order", inputs: transferring + [.ended(.failed)],
            actions: [.endAttempt, .releaseSlot, .closePart(keeps: true)], state: .closing(.failed)),
        Row(
            name: "and is announced after it", inputs: transferring + [.ended(.failed), .closed],
            actions: [.announce(.failed)], state: .ended),
        Row(
            name: "cancelling what never ran", inputs: [.intent(keep)], actions: [.closePart(keeps: true)],
            state: cancelledKeeping),
        Row(
            name: "cancelling in the queue", inputs: [.intent(.running), .intent(keep)],
            actions: [.leaveQueue, .closePart(keeps: true)], state: cancelledKeeping),
        Row(
            name: "cancelling while storage looks waits for it", inputs: [.intent(.running), .slot, .intent(keep)],
            actions: [], state: .preparing),
        Row(
            name: "and then ends", inputs: [.intent(.running), .slot, .intent(keep), .prepared(.ready)],
            actions: [.releaseSlot, .closePart(keeps: true)], state: cancelledKeeping),
        Row(
            name: "a part may be given up as long as storage looks",
            inputs: [.intent(.running), .slot, .intent(keep), .intent(discard), .prepared(.ready)],
            actions: [.releaseSlot, .closePart(keeps: false)], state: .closing(.cancelled(keepsPart: false))),
        Row(
            name: "and is not kept again after that",
            inputs: [.intent(.running), .slot, .intent(discard), .intent(keep), .prepared(.ready)],
            actions: [.releaseSlot, .closePart(keeps: false)], state: .closing(.cancelled(keepsPart: false))),
        Row(
            name: "cancelling a running transfer", inputs: transferring + [.intent(discard)],
            actions: [.endAttempt, .releaseSlot, .closePart(keeps: false)],
            state: .closing(.cancelled(keepsPart: false))),
        Row(
            name: "cancelling a paused one", inputs: holding + [.intent(keep)],
            actions: [.stopHoldTimer, .endAttempt, .closePart(keeps: true)], state: cancelledKeeping),
        Row(
            name: "cancelling a resumed hold", inputs: holding + [.intent(.running), .intent(keep)],
            actions: [.leaveQueue, .stopHoldTimer, .endAttempt, .closePart(keeps: true)], state: cancelledKeeping),
        Row(
            name: "cancelling during back-off", inputs: backingOff + [.intent(keep)],
            actions: [.stopRetryTimer, .closePart(keeps: true)], state: cancelledKeeping),
        Row(
            name: "a file that got its name stays", inputs: finishing + [.intent(keep), .finished(true)],
            actions: [.releaseSlot, .announce(.completed)], state: .ended),
        Row(
            name: "cancelling is announced once", inputs: [.intent(keep), .closed, .closed], actions: [], state: .ended),
        Row(
            name: "nothing revives a cancelled transfer", inputs: [.intent(keep), .intent(.running)], actions: [],
            state: cancelledKeeping),
        Row(
            name: "nothing follows the end",
            inputs: finishing + [.finished(true), .intent(.suspended), .intent(.running), .slot],
            actions: [.releaseSlot],
            state: .ended),
        Row(
            name: "an attempt that cannot start fails", inputs: running + [.fail],
            actions: [.endAttempt, .releaseSlot, .closePart(keeps: true)], state: .closing(.failed)),
        Row(
            name: "a second failure changes nothing", inputs: running + [.fail, .fail], actions: [],
            state: .closing(.failed)),
    ]

    @Test("answers each input with the right actions", arguments: startRows + pauseRows + endRows)
    func row(_ row: Row) {
        var machine = TransferStateMachine()
        var actions: [Action] = []
        for input in row.inputs { actions = Self.feed(input, to: &machine) }
        #expect(actions == row.actions)
        #expect(machine.state == row.state)
    }

    @Test("keeps slots balanced and announces once in any order of inputs", arguments: 0..<200)
    func anyOrder(_ seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var machine = TransferStateMachine()
        var slots = 0
        var queued = false
        var attempts = 0
        var announcements = 0
        for _ in 0..<400 {
            guard let input = Self.legalInput(machine, queued: queued, using: &generator) else { continue }
            if case .slot = input {
                slots += 1
                queued = false
            }
            if case .ended = input { attempts -= 1 }
            let isEnd = if case .ended = input { true } else { false }
            let actions = Self.feed(input, to: &machine)
            // A disk that refuses ends the transfer at once, and nothing may come after that.
            #expect(actions.firstIndex(of: .flushPart).map { $0 == actions.count - 1 } != false)
            for action in actions {
                switch action {
                case .joinQueue:
                    #expect(!queued)
                    queued = true
                case .leaveQueue:
                    #expect(queued)
                    queued = false
                case .releaseSlot: slots -= 1
                case .startAttempt: attempts += 1
                case .endAttempt: if !isEnd { attempts -= 1 }
                case .announce: announcements += 1
                case .prepare, .hold, .release, .startHoldTimer, .stopHoldTimer, .startRetryTimer, .stopRetryTimer,
                    .flushPart, .finish, .closePart, .ask:
                    break
                case .withdraw(let question): #expect(!question.holdsResponse)
                }
            }
            #expect(slots == (machine.hasSlot ? 1 : 0))
            #expect((0...1).contains(attempts))
        }
        #expect(announcements <= 1)
        #expect((announcements == 1) == (machine.state == .ended))
        if machine.state == .ended { #expect(machine.openQuestion == nil) }
    }

    static func feed(_ input: Input, to machine: inout TransferStateMachine) -> [Action] {
        switch input {
        case .intent(let intent): return machine.reconcile(intent)
        case .resumedTooSoon: return machine.reconcile(.running, mustWait: true)
        case .slot: return machine.slotGranted()
        case .prepared(let preparation): return machine.prepared(preparation)
        case .head:
            machine.headAccepted()
            return []
        case .ended(let end): return machine.attemptEnded(end)
        case .holdExpired: return machine.holdExpired()
        case .retryDue: return machine.retryDue()
        case .hastened: return machine.hastened()
        case .finished(let succeeded): return machine.finished(succeeded)
        case .closed: return machine.closed()
        case .fail: return machine.fail()
        case .ask(let question):
            machine.ask(question, number: 0)
            return []
        case .answer(let question):
            if machine.openQuestion == question { _ = machine.answered() }
            return []
        }
    }

    /// An input that the owner could give in this state.
    static func legalInput(
        _ machine: TransferStateMachine, queued: Bool, using generator: inout SeededGenerator
    ) -> Input? {
        let wishes: [Input] = [.intent(.running), .intent(.suspended), .intent(.running), .intent(.suspended)]
        var ends: [Input] = [
            .ended(.bodyComplete), .ended(.again), .ended(.retry), .ended(.failed), .ended(.askFirst(.someTrust)),
        ]
        var choices = wishes
        // The owner keeps the end of a held response back, and prepares nothing while it asks.
        if let open = machine.openQuestion { (choices, ends) = (wishes + [.answer(open), .answer(open)], []) }
        if Int.random(in: 0..<60, using: &generator) == 0 { choices.append(.intent(keep)) }
        switch machine.state {
        case .parked, .ended: break
        case .waiting: if queued { choices.append(.slot) }
        case .preparing where machine.openQuestion != nil: break
        case .preparing:
            choices += [.ask(.body)]
            choices += [.prepared(.ready), .prepared(.ready), .prepared(.failed), .prepared(.nothingToTransfer)]
            choices.append(.prepared(.retry))
        case .connecting: choices += ends + [.head]
        case .transferring: choices += ends + [.ask(.disposition)]
        case .holding: choices += ends + [.holdExpired, .head]
        case .holdingForSlot: choices += ends + [.holdExpired] + (queued ? [.slot] : [])
        case .backingOff: choices += [.retryDue, .hastened]
        case .finishing: choices += [.finished(true), .finished(false)]
        case .closing: choices.append(.closed)
        }
        return choices.randomElement(using: &generator)
    }
}
