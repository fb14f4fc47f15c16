import SessionSupport

/// The complete state of the dashboard.
///
/// A value: ``update(_:_:)`` changes it, ``view(_:size:capabilities:)`` draws it.
package struct Model: Sendable {
    /// The interval at which an order by moving values is refreshed, in milliseconds.
    static let orderInterval: Int64 = 1000

    /// The screen's size as last reported.
    package var size = Size(columns: 80, rows: 24)
    /// Milliseconds of the monotonic clock, as last reported.
    package var now: Int64 = 0
    /// The first time the clock reported.
    package var startedAt: Int64?
    package var rows = RowStore()
    package var rates = RateBoard()
    /// The rows that a service with more than the table was asked for; nil before that.
    var selection: RowRequest?
    package var list = ListState()
    package var details = DetailsState()
    package var overlay: Overlay?
    /// The downloads whose user decides about an existing file.
    package var undecided = UndecidedFiles()
    package var toasts = ToastBoard()
    /// The events of transfers, while the event log is on the screen.
    var log = EventLog()
    /// The time at which the history on the screen is read again; nil for never.
    var historyDue: Int64?
    var undo = UndoList()
    /// The task that was added in the form and has no row yet; its row is selected when it arrives.
    var awaited: AwaitedRow?
    /// Data requests that were sent by hand, whose responses are reported on arrival.
    var sentByHand: Set<UInt64> = []
    /// The pending actions for rows that have not ended yet.
    var endPlans: [UInt64: EndPlan] = [:]
    package var dayClock = DayClock()
    package var options = ViewOptions()
    /// Whether the list is saved for the next run.
    package var isSaved = true
    /// Whether the table is not all of the service's rows, because further ones are on their way.
    package var isReading = false
    /// The saved session of the list; nil for none.
    package var sessionName: SafeText?
    /// Whether the user has named that session; otherwise it is the default one.
    package var hasNamedSession = false
    /// The process that has the transfers.
    package var owner = TransferOwner.thisProcess
    /// The connections of the running rows, counted only while the hosts are shown.
    var connections = HostConnections()
    /// The servers that get no requests at the moment.
    package var backoffs = ServerBackoffs()
    /// The rate limits in force.
    package var bounds = RatesInForce()
    /// Whether partial files stay when the program quits; the demo's do not.
    package var keepsParts = true
    /// Whether the program's end loses the list; the demo's is meant to be lost.
    package var isUnsaved: Bool { !isSaved && keepsParts && rows.count > 0 }
    /// The options as the program started with them, or as saved since.
    package var knownSettings: [SettingLine] = []
    /// The settings of tasks that are added here, unless the form says otherwise.
    package var jobDefaults = Job(kind: .download, url: "")
    /// The names of the environment's variables that have a value; nil if unknown.
    package var variables: Set<String>?
    package var keys: KeyBindings
    /// The rows of a frozen display; nil unless it is frozen.
    package var frozen: FrozenDisplay?
    /// The form whose list is read at the moment.
    var formOfList: AddForm?
    /// The earlier entries of prompts and fields.
    var history = FieldHistory()
    /// The demo's guided tour; nil outside the demo.
    package var tour: Tour?
    /// The row that was clicked last, and when.
    var lastPick: (id: UInt64, time: Int64)?
    /// Whether the program quits as soon as nothing is running.
    package var leavesWhenDone = false
    /// The moment of the last key; nil before the first.
    var keyedAt: Int64?
    /// The moment at which `^C` was last pressed.
    var interruptedAt: Int64?
    /// The moment at which rows were last sorted by moving values.
    var orderedAt: Int64 = 0

    package init(keys: KeyBindings) {
        self.keys = keys
        knownSettings = settings
    }

    package var units: Units { options.units }

    /// The moment that the screen shows.
    package var shownNow: Int64 { frozen?.since ?? now }

    /// The screen that receives the keys.
    package var screen: Screen {
        if let overlay { return overlay.screen }
        return details.fullScreenID == nil ? .list : .details
    }

    /// The row that is selected, or whose details fill the screen.
    package var current: RowSnapshot? {
        (details.fullScreenID ?? list.cursor).flatMap { rows[$0] }
    }

    /// The next moment, in milliseconds of the clock, at which the screen needs an update; nil if none does.
    ///
    /// The event loop sleeps until then, and forever if it is nil: an idle dashboard costs nothing.
    package var nextDeadline: Int64? {
        var deadlines = [toasts.nextEnd, historyDue].compactMap { $0 }
        if isMoving || rates.isSettling, frozen == nil {
            deadlines.append(max(rates.lastTick + RateMeter.tickInterval, now + 1))
        }
        return deadlines.min()
    }

    /// Whether numbers on the screen change without input.
    package var isMoving: Bool {
        guard !isServiceAway else { return false }
        return rows.counts[nil, .running, .retrying, .verifying, .saving] > 0 || !backoffs.isEmpty
    }
}

extension Model {
    /// Whether nothing is known of the tasks at the moment, because their service does not answer or has ended.
    package var isServiceAway: Bool { reasonOfAbsence != nil }

    /// Why a command that needs the service does nothing while it is away; nil while it is not.
    var reasonOfAbsence: SafeText? {
        switch owner {
        case .thisProcess, .service: nil
        case .lostService, .stoppedService: TaskReasons.serviceAway
        case .hungService(let advice): advice
        }
    }

    /// Whether a row is one that the next service has to go on with.
    func isLeft(_ row: RowFigures) -> Bool { isServiceAway && !row.state.isFinal }
}

/// The process that has the transfers of a window.
package enum TransferOwner: Sendable, Equatable {
    /// This one: they end with the window.
    case thisProcess
    /// A service, which goes on when the window closes.
    case service
    /// A service that does not answer at the moment.
    case lostService
    /// A service whose process says nothing, with a sentence of what helps.
    case hungService(SafeText)
    /// A service that another window or a script has ended.
    case stoppedService
}

/// The row expected for the form's task: the list may get many others first.
struct AwaitedRow: Sendable, Equatable {
    private let kind: Job.Kind
    private let url: SafeText

    init(of job: Job) {
        kind = job.kind
        url = SafeText(url: job.url)
    }

    /// Whether a row belongs to the task.
    func isMet(by row: RowSnapshot) -> Bool { row.kind == kind && row.url == url }
}

/// The time of day at the moments of the model's clock, which stands while the machine sleeps, and which follows neither
/// a change of the system's clock nor summer time.
package struct DayClock: Sendable {
    private static let day: Int64 = 86_400_000
    /// The difference that is no step, in milliseconds: both clocks are read one after the other, and are trimmed.
    private static let tolerance: Int64 = 1_000
    private static let mostSteps = 64

    private struct Step {
        var since: Int64
        var offset: Int64
    }

    /// The offsets that were in force one after the other.
    private var steps: [Step] = []
    /// The moment at which the latest offset was in force still.
    private var lastRead = Int64.min

    /// The time of day when the model's clock is zero, in milliseconds; nil if unknown.
    package var offset: Int64? { steps.last?.offset }

    /// The same as it was in force at a moment of the model's clock, so that a time that was shown stays as it is.
    package func offset(at moment: Int64) -> Int64? { (steps.last { $0.since <= moment } ?? steps.first)?.offset }

    /// Takes the time of day at a moment of the model's clock.
    mutating func read(_ milliseconds: Int64, at now: Int64) {
        defer { lastRead = now }
        let offset = milliseconds - now
        // Midnight is no step.
        if let known = self.offset, abs(Self.remainder(offset - known)) <= Self.tolerance { return }
        // What came since the last look has probably come after the step, as after a sleep.
        steps.append(Step(since: min(lastRead, now - 1) + 1, offset: offset))
        if steps.count > Self.mostSteps { steps.removeFirst() }
    }

    /// A difference without whole days, which is half a day at most.
    private static func remainder(_ difference: Int64) -> Int64 {
        let rest = difference % day
        return abs(rest) <= day / 2 ? rest : rest - rest.signum() * day
    }
}
