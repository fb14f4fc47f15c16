import SessionSupport

/// The state that the caller's threads and the transfer loop share about one transfer: the caller's wish and the loop's
/// report.
///
/// The loop is told to reconcile and reads the wish from here, so that pause and resume from two threads cannot reach
/// it in the wrong order. Copies share the state.
package struct TransferControl: Sendable {
    /// The caller's latest request.
    ///
    /// A cancellation is final.
    package enum Intent: Sendable, Hashable {
        case suspended
        case running
        case cancelled(keepsPart: Bool)
    }

    /// The transfer's rank in the queue and its own rate limit.
    struct Rank: Sendable, Equatable {
        /// The priority from 0 to 1; higher goes first.
        var priority: Float = 0.5
        /// The position within the priority; nil for the order of joining.
        var position: UInt64?
        /// True if the transfer starts even beyond the limits.
        var ignoresLimits = false
        /// Counts how often that was said, because each time also ends a wait for another attempt.
        var hastenings: UInt32 = 0
        /// The transfer's own limits, which replace the per-task limits; nil for none.
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

        /// Accepts a wish unless it would undo a cancellation.
        ///
        /// The loop cancels too: a simultaneous resume must not override that, and the loop's cancellation must not
        /// override a caller who has discarded the part.
        mutating func accept(_ newer: Intent) {
            if case .cancelled = intent {
                guard newer == .cancelled(keepsPart: false) else { return }
            }
            intent = newer
        }
    }

    private let state = Locked(State())

    package var intent: Intent { state.withLock { $0.intent } }
    /// True while the caller wants it to run; only a hint for work on other threads, which may then end early.
    var isWanted: Bool { intent == .running }
    /// True if the caller has cancelled without keeping any of the download.
    var isPartGivenUp: Bool { intent == .cancelled(keepsPart: false) }
    var status: TaskStatus { state.withLock { $0.status } }
    var metrics: TransferMetrics { state.withLock { $0.metrics } }
    var rank: Rank { state.withLock { $0.rank } }
    var segments: [DownloadSegment] { state.withLock { $0.segments } }
    var sources: [DownloadSource] { state.withLock { $0.sources } }

    func changeRank(_ change: (inout Rank) -> Void) { state.withLock { change(&$0.rank) } }

    func setIntent(_ intent: Intent) { state.withLock { $0.accept(intent) } }

    /// Sets the wish unless a newer one was set: decisions are made under the task's lock and carried out after it, so
    /// two of them may arrive here in the wrong order.
    func setIntent(_ intent: Intent, revision: UInt64) {
        state.withLock {
            guard revision > $0.intentRevision else { return }
            $0.intentRevision = revision
            $0.accept(intent)
        }
    }

    /// Called by the loop only, at most once per tick.
    package func publish(_ status: TaskStatus) { state.withLock { $0.status = status } }

    /// Called by the loop only, a few times per second for a download with several connections.
    func publish(_ segments: [DownloadSegment]) { state.withLock { $0.segments = segments } }

    /// Called by the loop only, for a download from several sources.
    func publish(_ sources: [DownloadSource]) { state.withLock { $0.sources = sources } }

    /// Called by the loop only, when an attempt begins, gets a response, pauses or ends.
    func publish(_ metrics: TransferMetrics) { state.withLock { $0.metrics = metrics } }
}
