/// The rate limits, as keys change them.
extension Model {
    mutating func adoptLimits(_ rates: RatesInForce) {
        if rates != bounds { self.rates.forgetSteadySpeeds(now: now) }
        bounds = rates
    }

    /// Sets the limits of all traffic; returns what is wrong with the answer.
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
                    ? "Limits: " + RatesText.words(plan.download, plan.upload)
                    : "Limit of downloads: " + down + "; uploads stay at " + up)
            return nil
        } catch {
            return "That " + SafeText(untrusted: error.sentence)
        }
    }

    /// Limits tasks, or returns them to the common limits; returns what is wrong with the answer.
    ///
    /// - Parameter now: the limits of a single task; nil if unknown.
    mutating func limit(
        _ ids: [UInt64], now: TaskRates?, to answer: String, _ effects: inout [Effect]
    ) -> SafeText? {
        var rates: TaskRates?
        do throws(RateSchedule.Problem) {
            if !answer.isEmpty { rates = try TaskRates(answer, for: ids.compactMap { rows.figures(of: $0)?.kind }) }
        } catch {
            return "That " + SafeText(untrusted: error.sentence)
        }
        if let now, let id = ids.first, ids.count == 1 {
            effects += remember(.limitedTask(id, before: now == TaskRates() ? nil : now))
        } else {
            effects += endUndo("Those limits cannot be undone: " + keys.key(of: .limitTask) + " sets others")
        }
        effects.append(.send(.limitTasks(ids, rates)))
        self.rates.forgetSteadySpeeds(of: ids, now: self.now)
        tell(limits: rates, of: ids.count)
        return nil
    }

    private mutating func tell(limits rates: TaskRates?, of count: Int) {
        notify(
            rates.map { "Limit of " + SafeText.tasks(count) + ": " + RatesText.words($0) }
                ?? SafeText.tasks(count) + (count == 1 ? " is" : " are") + " limited as the others are")
    }

    /// Restores a task's earlier limits; nil for the run's.
    mutating func limitAgain(_ id: UInt64, to rates: TaskRates?) -> [Effect] {
        guard rows.figures(of: id)?.state.isFinal == false else {
            return nothingHit("Nothing is left of that step to undo")
        }
        self.rates.forgetSteadySpeeds(of: [id], now: now)
        tell(limits: rates, of: 1)
        return [.send(.limitTasks([id], rates))]
    }
}
