/// How fast bodies may move, as keys change it.
extension Model {
    /// Asks for the limits of all that comes and goes, with those in force to begin with.
    mutating func askForRates() {
        let words = [bounds.download, bounds.upload].map { RateSchedule.words(of: $0) }.joined(separator: " ")
        overlay = .prompt(Prompt(purpose: .limitRate, field: TextField(words)))
    }

    /// Asks for a limit of the selected tasks.
    mutating func askForTaskRates() {
        overlay = .prompt(
            Prompt(purpose: .limitTasks(targets.filter { !$0.state.isFinal }.map(\.id)), field: TextField("")))
    }

    /// Sets the limits of all that comes and goes; returns what is wrong with the answer.
    ///
    /// One rate is that of what comes, a timetable too. What was not changed keeps its times.
    mutating func limit(to answer: String, _ effects: inout [Effect]) -> SafeText? {
        do throws(RateSchedule.Problem) {
            var plan = options.rates
            if answer.contains(",") {
                plan.download = try RateSchedule(answer)
            } else {
                let rates = try Self.rates(answer)
                if rates.download != bounds.download {
                    plan.download = try RateSchedule(RateSchedule.words(of: rates.download))
                }
                if rates.hasUpload, rates.upload != bounds.upload {
                    plan.upload = try RateSchedule(RateSchedule.words(of: rates.upload))
                }
            }
            options.rates = plan
            effects.append(.setRates(plan))
            let words = { (schedule: RateSchedule) in SafeText(untrusted: schedule.words) }
            notify("Limits: down " + words(plan.download) + ", up " + words(plan.upload))
            return nil
        } catch {
            return "That " + SafeText(untrusted: error.sentence)
        }
    }

    /// Limits tasks, or lets them go as the others; returns what is wrong with the answer.
    mutating func limit(_ ids: [UInt64], to answer: String, _ effects: inout [Effect]) -> SafeText? {
        guard !answer.isEmpty else {
            effects.append(.limitTasks(ids, nil))
            notify(SafeText.tasks(ids.count) + (ids.count == 1 ? " is" : " are") + " limited as the others are")
            return nil
        }
        do throws(RateSchedule.Problem) {
            let rates = try Self.rates(answer)
            effects.append(.limitTasks(ids, TaskRates(download: rates.download, upload: rates.upload)))
            let words = { (rate: Int64?) in SafeText(untrusted: RateSchedule.words(of: rate)) }
            notify(
                "Limit of " + SafeText.tasks(ids.count) + ": down " + words(rates.download) + ", up "
                    + words(rates.upload))
            return nil
        } catch {
            return "That " + SafeText(untrusted: error.sentence)
        }
    }

    /// One rate or two.
    private static func rates(
        _ text: String
    ) throws(RateSchedule.Problem) -> (download: Int64?, upload: Int64?, hasUpload: Bool) {
        let words = text.split(separator: " ").map(String.init)
        guard let first = words.first, words.count <= 2 else {
            throw RateSchedule.Problem(sentence: "is not one rate or two; write them as 2M 512k, or off")
        }
        let upload = words.count > 1 ? try RateSchedule.rate(words[1]) : nil
        return (try RateSchedule.rate(first), upload, words.count > 1)
    }
}
