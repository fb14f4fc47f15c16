import Foundation
import SessionSupport

/// The `Progress` of one direction of a task.
///
/// Foundation's own class on Linux calls its handlers on a concurrent queue, in no particular order and once per call.
/// This subclass calls them inline, in order and once per real change, also when the call comes from a parent. The
/// public handlers belong to the user; the task is controlled separately. It is a class and `@unchecked Sendable`
/// because `Progress` is; all its own state is in one ``Locked``.
///
/// The unit counts are set from the delegate queue only. The last unit is counted when the task has succeeded, so that
/// a parent reaches the task until then and the progress finishes exactly once. It stays open for an upload that was
/// refused before its body was sent.
final class TransferProgress: Progress, @unchecked Sendable {
    /// The latest request to the task, by this object or by the task itself.
    enum Intent: Sendable {
        case idle, running, paused
    }

    private struct State {
        var intent: Intent = .idle
        var revision: UInt64 = 0
        var isCancelled = false
        /// Whether the task has ended, so that nothing can be asked of it.
        var hasEnded = false
        var total: Int64 = -1
        var completed: Int64 = 0
        var children: [Progress] = []
        var pausing: (@Sendable () -> Void)?
        var resuming: (@Sendable () -> Void)?
        var cancelling: (@Sendable () -> Void)?
    }

    /// The closures through which a progress controls its task.
    struct Control: Sendable {
        var pause: @Sendable () -> Void = {}
        var resume: @Sendable () -> Void = {}
        var cancel: @Sendable () -> Void = {}
    }

    private let state = Locked(State())
    private let control: Control

    init(_ control: Control = Control()) {
        self.control = control
        super.init(parent: nil, userInfo: nil)
        isPausable = true
        isCancellable = true
        super.totalUnitCount = -1
    }

    // MARK: The user's handlers

    override var pausingHandler: (@Sendable () -> Void)? {
        get { state.withLock { $0.pausing } }
        set { state.replace(\.pausing, with: newValue) }
    }

    override var resumingHandler: (@Sendable () -> Void)? {
        get { state.withLock { $0.resuming } }
        set { state.replace(\.resuming, with: newValue) }
    }

    override var cancellationHandler: (@Sendable () -> Void)? {
        get { state.withLock { $0.cancelling } }
        set { state.replace(\.cancelling, with: newValue) }
    }

    // MARK: Pausing, resuming, cancelling

    // Foundation's own pause, resume and cancel would call the handlers a second time, from a concurrent queue, so they
    // are never called, and children are controlled from here.

    override func addChild(_ child: Progress, withPendingUnitCount count: Int64) {
        state.withLock { $0.children.append(child) }
        super.addChild(child, withPendingUnitCount: count)
    }

    private var children: [Progress] { state.withLock { $0.children.filter { !$0.isFinished } } }

    override var isPaused: Bool {
        get { state.withLock { $0.intent == .paused } }
        set {}
    }

    override var isCancelled: Bool {
        get { state.withLock { $0.isCancelled } }
        set {}
    }

    override func pause() {
        let (isChange, handler) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard !state.hasEnded else { return (false, nil) }
            defer { state.intent = .paused }
            return (state.intent != .paused, state.pausing)
        }
        if isChange {
            control.pause()
            handler?()
        }
        for child in children { child.pause() }
    }

    /// Resumes the task, or starts it if it never was.
    override func resume() {
        let (isChange, handler) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard !state.hasEnded else { return (false, nil) }
            defer { state.intent = .running }
            return (state.intent != .running, state.resuming)
        }
        if isChange {
            control.resume()
            handler?()
        }
        for child in children { child.resume() }
    }

    override func cancel() {
        let (isChange, handler) = state.withLock { state in
            defer { state.isCancelled = true }
            return (!state.isCancelled, state.cancelling)
        }
        if isChange {
            control.cancel()
            handler?()
        }
        for child in children { child.cancel() }
    }

    /// Records a real change of the task, so that the next `pause()` or `resume()` is a change again.
    ///
    /// Revisions older than one already seen are ignored, because two threads may get here in the wrong order.
    func follow(_ intent: Intent, revision: UInt64) {
        state.withLock {
            guard revision > $0.revision else { return }
            $0.revision = revision
            $0.intent = intent
        }
    }

    /// Records that the task has ended: pausing and resuming then reach only children.
    func taskHasEnded() {
        state.withLock { state in
            state.hasEnded = true
            if state.intent == .paused { state.intent = .idle }
        }
    }

    // MARK: Unit counts

    override var totalUnitCount: Int64 {
        get { state.withLock { $0.total } }
        set {
            state.withLock { $0.total = newValue }
            super.totalUnitCount = newValue
        }
    }

    override var completedUnitCount: Int64 {
        get { state.withLock { $0.completed } }
        set {
            state.withLock { $0.completed = newValue }
            super.completedUnitCount = newValue
        }
    }

    /// Applies the counts of a running task, total before completed.
    ///
    /// Returns whether anything changed.
    func update(completed: Int64, total: Int64?) -> Bool {
        let newTotal = total.flatMap { $0 > 0 ? max($0, completed) : nil } ?? -1
        let newCompleted = newTotal > 0 ? min(completed, newTotal - 1) : completed
        let old = state.withLock { ($0.total, $0.completed) }
        guard old != (newTotal, newCompleted) else { return false }
        if old.0 != newTotal { totalUnitCount = newTotal }
        if old.1 != newCompleted { completedUnitCount = newCompleted }
        return true
    }

    /// Sets the counts of an upload that has its response: all of them, unless an error status came before the body was
    /// sent; then they stay where sending has stopped.
    ///
    /// Returns whether anything changed.
    func end(sent: Int64, of length: Int64?, statusCode: Int?) -> Bool {
        if let statusCode, !(200...299).contains(statusCode), length.map({ sent < $0 }) ?? true {
            return update(completed: sent, total: length)
        }
        complete(at: sent)
        return true
    }

    /// Sets the counts of a successful task: all of them, or one of one for an empty body.
    func complete(at completed: Int64) {
        let units = max(completed, 1)
        totalUnitCount = units
        completedUnitCount = units
    }
}
