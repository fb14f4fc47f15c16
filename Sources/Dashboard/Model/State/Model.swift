import SessionSupport

/// Everything the dashboard knows.
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
    package var list = ListState()
    package var details = DetailsState()
    package var overlay: Overlay?
    package var toasts = ToastBoard()
    /// What happened to transfers, while the event log is on the screen.
    var log = EventLog()
    /// The steps that can be taken back.
    var undo = UndoList()
    /// The task that was added in the form and has no row yet; its row is selected when it comes.
    var awaited: AwaitedRow?
    /// Data requests that were sent by hand, whose answers are told when they come.
    var sentByHand: Set<UInt64> = []
    /// What is to become of rows as soon as they have ended.
    var endPlans: [UInt64: EndPlan] = [:]
    /// The time of day when the model's clock is zero, in milliseconds; nil while nobody said.
    package var dayOffset: Int64?
    package var options = ViewOptions()
    /// Whether the list is there again next time.
    package var isSaved = true
    /// The saved session that the list lives on; nil for none.
    package var sessionName: SafeText?
    /// Whether the user has named that session; otherwise it is the usual one.
    package var hasNamedSession = false
    /// The connections of the rows that run, by row: counted only while the hosts are shown.
    var connections = HostConnections()
    /// The servers that nobody asks at the moment.
    package var held = ServerBackoffs()
    /// The limits on how fast bodies move, as they are now.
    package var bounds = RatesInForce()
    /// Whether partial files stay when the program leaves; those of the demo do not.
    package var keepsParts = true
    /// Whether there is a list that will be lost with the program, as that of the demo is meant to be.
    package var isUnsaved: Bool { !isSaved && keepsParts && rows.count > 0 }
    /// The options as the program began with them, or as they were saved since.
    package var knownSettings: [SettingLine] = []
    /// The settings of tasks that are added here, unless the form says otherwise.
    package var jobDefaults = Job(kind: .download, url: "")
    /// The keys of all commands.
    package var keys: KeyBindings
    /// The news that arrives while the display is frozen; nil while it is not.
    package var frozen: FrozenDisplay?
    /// The earlier entries of prompts and fields.
    var history = FieldHistory()
    /// The demo's guided tour; nil where there is none.
    package var tour: Tour?
    /// The row that was clicked last, and when.
    var lastPick: (id: UInt64, time: Int64)?
    /// Whether the program is to leave by itself as soon as nothing is under way.
    package var leavesWhenDone = false
    /// The moment at which `^C` was last pressed.
    var interruptedAt: Int64?
    /// The moment at which rows were last sorted by moving values.
    var orderedAt: Int64 = 0

    /// An empty dashboard with some commands.
    package init(keys: KeyBindings) {
        self.keys = keys
        knownSettings = settings
    }

    /// The units of byte counts.
    package var units: Units { options.units }

    /// The moment that the screen shows.
    package var shownNow: Int64 { frozen?.since ?? now }

    /// The screen that has the keys.
    package var screen: Screen {
        if let overlay { return overlay.screen }
        return details.fullScreenID == nil ? .list : .details
    }

    /// The row that is selected, or whose details fill the screen.
    package var current: RowSnapshot? {
        (details.fullScreenID ?? list.cursor).flatMap { rows[$0] }
    }

    /// The next moment, in milliseconds of the clock, at which something on the screen ages; nil when nothing does.
    ///
    /// The event loop sleeps until then, and for ever when it is nil: an idle dashboard costs nothing.
    package var nextDeadline: Int64? {
        var deadlines = [toasts.nextEnd].compactMap { $0 }
        if isMoving || rates.isSettling, frozen == nil {
            deadlines.append(max(rates.lastTick + RateMeter.tickInterval, now + 1))
        }
        return deadlines.min()
    }

    /// Whether numbers on the screen change by themselves.
    package var isMoving: Bool {
        rows.counts[nil, .running, .retrying, .verifying, .saving] > 0 || !held.isEmpty
    }
}

/// The row that a task of the form is to get: the list may grow by many others meanwhile.
struct AwaitedRow: Sendable, Equatable {
    private let kind: Job.Kind
    private let url: SafeText

    init(of job: Job) {
        kind = job.kind
        url = SafeText(untrusted: Redaction.url(job.url))
    }

    /// Whether a row is that of the task.
    func isMet(by row: RowSnapshot) -> Bool { row.kind == kind && row.url == url }
}
