/// How fast bodies may move, as keys change it.
extension Model {
    /// Sets the limits of all that comes and goes; returns what is wrong with the answer.
    ///
    /// One rate limits downloads, a timetable too. What was not changed keeps its times.
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

    /// Limits tasks, or lets them go as the others; returns what is wrong with the answer.
    mutating func limit(_ ids: [UInt64], to answer: String, _ effects: inout [Effect]) -> SafeText? {
        let ending = keys.key(of: .limitTask) + " sets another one"
        guard !answer.isEmpty else {
            effects += endUndo("The limit of a task cannot be undone: " + ending) + [.send(.limitTasks(ids, nil))]
            notify(SafeText.tasks(ids.count) + (ids.count == 1 ? " is" : " are") + " limited as the others are")
            return nil
        }
        do throws(RateSchedule.Problem) {
            let rates = try TaskRates(answer, for: ids.compactMap { rows.figures(of: $0)?.kind })
            effects += endUndo("The limit of a task cannot be undone: " + ending)
            effects.append(.send(.limitTasks(ids, rates)))
            notify("Limit of " + SafeText.tasks(ids.count) + ": " + RatesText.words(rates.download, rates.upload))
            return nil
        } catch {
            return "That " + SafeText(untrusted: error.sentence)
        }
    }
}
