import Foundation
import SessionCore
import SessionSupport

/// Rate limits, which may depend on the time of the week.
extension LocalService {
    func setRates(_ plan: RatePlan) { changeRates { $0 = plan } }

    func setDownloadRate(_ rate: RateSchedule) { changeRates { $0.download = rate } }

    private func changeRates(_ change: (inout RatePlan) -> Void) {
        let order = state.withLock { state in
            change(&state.rates)
            state.rateOrder += 1
            return state.rateOrder
        }
        keepRates(order)
    }

    /// Applies the plan's limits for this minute, and schedules the next change.
    private func keepRates(_ order: Int) {
        guard let plan = state.withLock({ $0.rateOrder == order && !$0.isClosing ? $0.rates : nil }) else { return }
        let now = Timestamp.now()
        let minute = now.minuteOfWeek
        let rates = RatesInForce(plan, at: minute)
        manager.setRateLimits(RateLimits(rates))
        observers.receive(.bounded(rates))
        guard let minutes = plan.minutesUntilChange(after: minute) else { return }
        let wait = Int(RatePlan.millisecondsUntilCheck(changeIn: minutes, intoMinute: now.millisecondsOfDay % 60_000))
        let next = state.withLock { state in
            state.rateOrder += 1
            return state.rateOrder
        }
        // The wall deadline counts time asleep but waits hours when the clock is set back; the other one does neither.
        repeatQueue.asyncAfter(wallDeadline: .now() + .milliseconds(wait)) { [weak self] in self?.keepRates(next) }
        repeatQueue.asyncAfter(deadline: .now() + .milliseconds(wait)) { [weak self] in self?.keepRates(next) }
    }

    /// Gives rows their own limits, which their next tasks inherit; nil restores the common ones.
    func limit(_ ids: [UInt64], to rates: TaskRates?) { changeOwnRates(of: ids) { $0 = rates } }

    func limitDownloads(_ ids: [UInt64], to rate: OwnRate) {
        changeOwnRates(of: ids) { rates in rates = TaskRates(download: rate, upload: rates?.upload) }
    }

    private func changeOwnRates(of ids: [UInt64], _ change: (inout TaskRates?) -> Void) {
        let tasks = state.withLock { state in
            for id in ids {
                change(&state.ownRates[id])
                state.rows[id]?.limit(to: state.ownRates[id])
            }
            return ids.compactMap { id in state.rows.source(of: id)?.task.map { ($0, state.ownRates[id]) } }
        }
        for (task, rates) in tasks { task.rateLimit = rates.map { RateLimit($0) } }
        for id in ids { saveJob(of: id) }
        for id in ids { observers.receive(.changed(id)) }
    }

    func limit(_ task: SessionTask, of id: UInt64) {
        if let rates = state.withLock({ $0.ownRates.isEmpty ? nil : $0.ownRates[id] }) {
            task.rateLimit = RateLimit(rates)
        }
    }
}

extension RateLimits {
    /// The library's form of the limits in force.
    init(_ rates: RatesInForce) {
        self.init(
            all: RateLimit(download: rates.download, upload: rates.upload),
            perHost: RateLimit(download: rates.perHost, upload: rates.perHost),
            perTask: RateLimit(download: rates.perTask, upload: rates.perTask))
    }
}

extension RateLimit {
    /// The library's form of a task's limits.
    init(_ rates: TaskRates) {
        func rate(_ own: OwnRate?) -> Int64? { own.map { $0.rate ?? .max } }
        self.init(download: rate(rates.download), upload: rate(rates.upload))
    }
}
