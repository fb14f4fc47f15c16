/// Changing tasks: one in its form, several by a line of settings.
extension Model {
    /// Requests the task for its form, or asks for the settings of several tasks.
    mutating func editTargets() -> [Effect] {
        let ids = targets.map(\.id)
        guard ids.count > 1 else { return ids.first.map { [.edit($0)] } ?? [] }
        overlay = .prompt(Prompt(purpose: .amend(ids), field: TextField("")))
        return []
    }

    /// Requests the tasks that a line changes; returns what is wrong with the line.
    mutating func askToAmend(_ ids: [UInt64], by line: String, _ effects: inout [Effect]) -> SafeText? {
        do throws(UsageError) {
            let amendment = try JobAmendment(line, defaults: jobDefaults)
            if let variables {
                for value in amendment.options {
                    guard let name = value.missingVariable(among: variables) else { continue }
                    throw UsageError(FormErrors.variableUnset(value.option.name, name))
                }
            }
        } catch {
            return SafeText(untrusted: error.message)
        }
        effects.append(.amend(ids, line: line))
        return nil
    }

    /// Changes tasks in their places: running ones are stopped first, and paused ones stay paused.
    ///
    /// A speed limit alone interrupts nothing. Completed tasks stay as they are.
    mutating func amend(_ ids: [UInt64], _ jobs: [Job], by line: String) -> [Effect] {
        guard let amendment = try? JobAmendment(line, defaults: jobDefaults) else { return [] }
        var plan = AmendmentPlan()
        for (id, job) in zip(ids, jobs) {
            guard let row = rows.figures(of: id) else { continue }
            plan.add(row, job, changed: amendment.applied(to: job))
        }
        guard plan.count > 0 else { return nothingHit(TaskReasons.nothingToAmend) }
        endPlans.merge(plan.stopped) { $1 }
        holdSelection(among: plan.ids)
        report(TaskToasts.amended(plan.count), skipped: ids.count - plan.count)
        if let warning = plan.jobs.trustWarning() { notify(warning, isError: true) }
        var effects = endUndo(UndoReasons.edited(keys.key(of: .edit)))
        effects += plan.limited.map { Effect.send(.limitTasks($0.ids, $0.rates)) }
        if !plan.stopped.isEmpty {
            effects.append(.send(.cancel(plan.stopped.keys.sorted(), deletingParts: false)))
        }
        return effects + plan.replaced.map { Effect.send(.replace($0.id, with: $0.job)) }
    }
}

/// What is done to each of several tasks that are changed together.
struct AmendmentPlan {
    /// Running or waiting tasks, which become others once they have been stopped.
    private(set) var stopped: [UInt64: EndPlan] = [:]
    /// Tasks that have ended.
    private(set) var replaced: [(id: UInt64, job: Job)] = []
    /// Tasks of which only the limits change, by their new limits.
    private(set) var limited: [(rates: TaskRates?, ids: [UInt64])] = []

    var count: Int { ids.count }
    private(set) var ids: [UInt64] = []
    private(set) var jobs: [Job] = []

    mutating func add(_ row: RowFigures, _ job: Job, changed: Job) {
        guard !row.state.isComplete, row.state != .done, changed != job else { return }
        var changed = changed
        ids.append(row.id)
        jobs.append(changed)
        if !row.state.isFinal, changed.differsOnlyInRates(from: job) {
            if let index = limited.firstIndex(where: { $0.rates == changed.rates }) {
                limited[index].ids.append(row.id)
            } else {
                limited.append((changed.rates, [row.id]))
            }
            return
        }
        changed.startsPaused = row.state.isPaused
        if row.state.isFinal {
            replaced.append((row.id, changed))
        } else {
            stopped[row.id] = .becomes(changed)
        }
    }
}

extension Job {
    fileprivate func differsOnlyInRates(from other: Job) -> Bool {
        var alike = self
        alike.rates = other.rates
        return alike == other
    }
}
