import Foundation
import SessionCore
import SessionSupport

/// Servers that ask for a long wait (`Retry-After`): the next run of the service keeps it.
///
/// The library holds its tasks for this run. The moment is saved with the row, and a row that the next run restores
/// before it waits as one whose hours have not begun: its user may still start it.
extension LocalService {
    /// Milliseconds of the library's longest own wait, which begins anew with each run.
    private static let ownWait: Int64 = 60_000
    /// Milliseconds that are over before a next run asks.
    private static let shortWait: Int64 = 5_000

    /// Records until when a task waits; a later attempt forgets it.
    ///
    /// - Parameter status: the status of the response; a server that is busy is left alone by the next run too, whether it or
    ///   the library has chosen the time.
    func keepWait(_ milliseconds: Int64, after status: Int? = nil, of id: UInt64) {
        let isBusy = status == 429 || status == 503
        let isKept = milliseconds > (isBusy ? Self.shortWait : Self.ownWait)
        let until = isKept ? (Timestamp.now().milliseconds + milliseconds) / 1_000 + 1 : nil
        let isNew = state.withLock { state in
            guard let slot = state.rows.slot(of: id), slot.row.run.wait.until != until else { return false }
            slot.row.run.wait.until = until
            return true
        }
        if isNew { saveJob(of: id) }
    }

    /// Forgets the waits of rows: their servers have answered since, or their user does not want to wait.
    func forgetWaits(of ids: [UInt64]) {
        let waiting = state.withLock { state in ids.filter { state.isAskedToWait($0) } }
        for id in waiting { keepWait(0, of: id) }
    }
}

extension LocalService.State {
    fileprivate mutating func isAskedToWait(_ id: UInt64) -> Bool {
        rows.isTouched(id) && rows.slot(of: id)?.row.run.wait.until != nil
    }

    /// Takes a row out of its hours before its run is replaced, which may have given it a wait; it comes back with the
    /// hours of its job, and with what its user has said about them.
    mutating func leaveHours(_ slot: RowSlot) {
        guard let own = slot.row.hours else { return }
        hours.leave(slot.id, own, keepingFreedom: slot.row.job.hours != nil)
    }
}

/// A long wait that a server has asked for, in seconds since 1970.
struct AskedWait: Sendable, Equatable {
    /// When it is over; nil for none.
    var until: Int64?
    /// Until when this run holds the row, because an earlier one was asked for the wait; nil for no such row.
    var heldUntil: Int64?
}

extension TransferRow {
    /// The most seconds of a wait, as in the library: a clock that was set back must not hold a task for ever.
    private static var longestWait: Int64 { 3_600 }

    /// The hours of its job, which begin when its server wants to be asked again.
    var hours: TransferHours? {
        guard let until = run.wait.heldUntil else { return job.hours }
        return TransferHours(start: max(until, job.start ?? until), spans: job.spans)
    }

    /// Restores the wait that an earlier run was asked for, if it is not over.
    mutating func restoreWait(_ saved: Int64?) {
        let now = Int64(Date().timeIntervalSince1970)
        guard !isFinal, let saved, saved > now else { return }
        let until = min(saved, now + Self.longestWait)
        run.wait = AskedWait(until: until, heldUntil: until)
    }
}
