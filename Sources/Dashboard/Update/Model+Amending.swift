/// Changing tasks: one in its form, several by a line of settings.
extension Model {
    /// Requests the task for its form, or asks for the settings of several tasks.
    mutating func editTargets() -> [Effect] {
        let ids = targets.map(\.id)
        guard ids.count > 1 else { return ids.first.map { [.edit($0)] } ?? [] }
        overlay = .prompt(Prompt(purpose: .amend(ids), field: TextField("")))
        return []
    }

    /// Changes tasks by a line of settings; returns what is wrong with it.
    ///
    /// The service decides about each task, and stops the ones that run.
    mutating func amend(_ ids: [UInt64], by line: String, _ effects: inout [Effect]) -> SafeText? {
        guard ids.contains(where: { rows.figures(of: $0) != nil }) else { return TaskReasons.alreadyRemoved }
        let amendment: JobAmendment
        do throws(UsageError) {
            amendment = try JobAmendment(line, defaults: jobDefaults)
        } catch {
            return SafeText(untrusted: error.message)
        }
        for value in amendment.options {
            guard let variables, let name = value.missingVariable(among: variables) else { continue }
            return SafeText(untrusted: FormErrors.variableUnset(value.option.name, name))
        }
        holdSelection(among: ids)
        let unchecked = ids.compactMap { id in
            rows[id].map { row in
                var job = Job(kind: row.kind, url: row.url.string)
                job.options = amendment.options
                return job
            }
        }
        if let warning = unchecked.trustWarning() { notify(warning, isError: true) }
        passUndo(reasonAfterEditing)
        effects.append(.send(.amend(ids, amendment)))
        return nil
    }
}
