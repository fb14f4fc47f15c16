import SessionSupport

/// What the caller's threads and the transfer loop share about one transfer: the caller's wish and the loop's report.
///
/// The loop is told "look again" and reads the wish from here, so that pause and resume pressed on two threads can
/// never reach it in the wrong order. Copies share what they hold.
package struct TransferControl: Sendable {
    /// What the caller last asked for.
    ///
    /// Cancelling is final.
    package enum Intent: Sendable, Hashable {
        case suspended
        case running
        case cancelled(keepsPart: Bool)
    }

    /// When it gets a slot, and how fast it may go then.
    struct Rank: Sendable, Equatable {
        /// The priority from 0 to 1; higher goes first.
        var priority: Float = 0.5
        /// The transfer's place within its priority; nil for the order of joining.
        var place: UInt64?
        /// Whether it gets one beyond the limits.
        var ignoresLimits = false
        /// Its own bounds in the place of those of each task; nil for none.
        var rateLimit: RateLimit?
    }

    private struct State {
        var intent: Intent = .suspended
        var intentRevision: UInt64 = 0
        var status = TaskStatus()
        var metrics = TransferMetrics()
        var rank = Rank()
        var segments: [DownloadSegment] = []
        var sources: [DownloadSource] = []

        /// Accepts a wish, unless it would undo a cancellation: the loop cancels too, and a caller's resume of the same
        /// moment must not win over it, nor it over a caller who has given the part up.
        mutating func accept(_ newer: Intent) {
            if case .cancelled = intent {
                guard newer == .cancelled(keepsPart: false) else { return }
            }
            intent = newer
        }
    }

    private let state = Locked(State())

    package var intent: Intent { state.withLock { $0.intent } }
    /// Whether the caller has cancelled and wants nothing of a download kept.
    var isPartGivenUp: Bool { intent == .cancelled(keepsPart: false) }
    var status: TaskStatus { state.withLock { $0.status } }
    var metrics: TransferMetrics { state.withLock { $0.metrics } }
    var rank: Rank { state.withLock { $0.rank } }
    var segments: [DownloadSegment] { state.withLock { $0.segments } }
    var sources: [DownloadSource] { state.withLock { $0.sources } }

    func changeRank(_ change: (inout Rank) -> Void) { state.withLock { change(&$0.rank) } }

    func setIntent(_ intent: Intent) { state.withLock { $0.accept(intent) } }

    /// Sets the wish unless a newer one is there already: decisions are made under the task's lock and carried out
    /// after it, so two of them may arrive here in the wrong order.
    func setIntent(_ intent: Intent, revision: UInt64) {
        state.withLock {
            guard revision > $0.intentRevision else { return }
            $0.intentRevision = revision
            $0.accept(intent)
        }
    }

    /// Called by the loop only, at most once per tick.
    package func publish(_ status: TaskStatus) { state.withLock { $0.status = status } }

    /// Called by the loop only, some times a second for a download of several connections.
    func publish(_ segments: [DownloadSegment]) { state.withLock { $0.segments = segments } }

    /// Called by the loop only, for a download of several sources.
    func publish(_ sources: [DownloadSource]) { state.withLock { $0.sources = sources } }

    /// Called by the loop only, when an attempt begins, is answered, is paused and has ended.
    func publish(_ metrics: TransferMetrics) { state.withLock { $0.metrics = metrics } }
}
