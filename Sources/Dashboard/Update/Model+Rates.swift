/// The rate limits, as keys change them.
extension Model {
    mutating func adoptLimits(_ rates: RatesInForce) {
        if rates != bounds { self.rates.forgetSteadySpeeds(now: now) }
        bounds = rates
    }

    /// Sets the limits of all traffic; returns the error in the answer.
    ///
    /// A single rate limits downloads, and so does a single timetable. Unchanged limits keep their times.
    mutating func limit(to answer: String, _ effects: inout [Effect]) -> SafeText? {
        do throws(RateSchedule.Problem) {
            let plan = try options.rates.changed(by: answer, inForce: bounds)
            effects += remember(.rated(options.rates)) + [.send(.setRates(plan))]
            options.rates = plan
            let (down, up) = (SafeText(untrusted: plan.download.words), SafeText(untrusted: plan.upload.words))
            notify(
                RatePlan.namesUploads(answer)
                    ? LimitToasts.speeds(RatesText.words(plan.download, plan.upload))
                    : LimitToasts.downloads(down, uploads: up))
            return nil
        } catch {
            return LimitErrors.invalid(SafeText(untrusted: error.sentence))
        }
    }

    /// Limits tasks, or returns them to the common limits; returns the error in the answer.
    ///
    /// - Parameter now: the limits of a single task; nil if unknown.
    mutating func limit(
        _ ids: [UInt64], now: TaskRates?, to answer: String, _ effects: inout [Effect]
    ) -> SafeText? {
        guard ids.contains(where: { rows.figures(of: $0) != nil }) else { return TaskReasons.alreadyRemoved }
        var rates: TaskRates?
        do throws(RateSchedule.Problem) {
            if !answer.isEmpty { rates = try TaskRates(answer, for: ids.compactMap { rows.figures(of: $0)?.kind }) }
        } catch {
            return LimitErrors.invalid(SafeText(untrusted: error.sentence))
        }
        if let now, let id = ids.first, ids.count == 1 {
            effects += remember(.limitedTask(id, before: now == TaskRates() ? nil : now))
        } else {
            passUndo(UndoReasons.limits(keys.key(of: .limitTask)))
        }
        effects.append(.send(.limitTasks(ids, rates)))
        self.rates.forgetSteadySpeeds(of: ids, now: self.now)
        tell(limits: rates, of: ids.count)
        return nil
    }

    private mutating func tell(limits rates: TaskRates?, of count: Int) {
        notify(rates.map { LimitToasts.tasks(count, RatesText.words($0)) } ?? LimitToasts.tasksFreed(count))
    }

    /// Restores a task's earlier limits; nil for the run's.
    mutating func limitAgain(_ id: UInt64, to rates: TaskRates?) -> [Effect] {
        guard rows.figures(of: id)?.state.isFinal == false else {
            return nothingHit(UndoReasons.stepIsGone)
        }
        self.rates.forgetSteadySpeeds(of: [id], now: now)
        tell(limits: rates, of: 1)
        return [.send(.limitTasks([id], rates))]
    }
}
