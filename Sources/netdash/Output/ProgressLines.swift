import Dashboard
import TransferService

/// Decides which progress reports of a run's transfers get a line, and with which speed.
///
/// A value without a clock; times are in milliseconds.
struct ProgressLines {
    private struct Entry {
        var gate: ProgressGate
        var meter: RateMeter
    }

    /// A pause before a transfer's next report.
    private enum Pause {
        /// Bytes that still arrive were sent before: they have no speed.
        case lasts
        /// Collected bytes arrive at once, and the pause counts for no speed.
        case isOver
    }

    private var entries: [UInt64: Entry] = [:]
    private var pauses: [UInt64: Pause] = [:]

    /// Updates the pauses and removes ended transfers by an event.
    mutating func hear(_ what: TransferEvent.What, of id: UInt64) {
        switch what {
        case .completed, .failed, .cancelled: (entries[id], pauses[id]) = (nil, nil)
        case .paused: pauses[id] = .lasts
        case .resumed: if pauses[id] != nil { pauses[id] = .isOver }
        case .added, .started, .response, .progress, .retrying, .restarted, .mirrorDropped, .mirrorSwitched, .notice:
            break
        }
    }

    /// The figures to report of a transfer that has moved, with its speed where known; nil when no report is due.
    mutating func report(
        _ figures: TransferEvent.Figures, of id: UInt64, _ rule: ProgressGate.Rule, at now: Int64
    ) -> TransferEvent.Figures? {
        var entry =
            entries[id]
            ?? Entry(
                gate: ProgressGate(rule: rule, startedAt: now),
                meter: RateMeter(bytes: figures.origin, now: now, origin: figures.origin))
        // The bytes of a partial file that is found later are no speed either.
        if entry.meter.origin != figures.origin {
            let bytes = min(max(figures.origin, entry.meter.bytes), figures.moved)
            entry.meter = RateMeter(bytes: bytes, now: now, origin: figures.origin)
        }
        switch pauses[id] {
        case .lasts: break
        case .isOver:
            pauses[id] = nil
            entry.meter = RateMeter(bytes: figures.moved, now: now, dropsFirstSpan: true)
        case nil: entry.meter.sample(bytes: figures.moved, now: now)
        }
        let isDue = entry.gate.admits(moved: figures.moved, of: figures.expected, at: now)
        entries[id] = entry
        guard isDue else { return nil }
        var figures = figures
        figures.bytesPerSecond = pauses[id] == nil && entry.meter.hasSample ? Int64(entry.meter.shown) : nil
        return figures
    }
}
