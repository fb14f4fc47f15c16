extension Model {
    /// Handles Enter in the add form: presses a focused button, else accepts the form.
    mutating func pressForm() -> [Effect] {
        guard case .addForm(let form) = overlay else { return [] }
        switch form.focus {
        case .cancel:
            closeOverlay()
            return []
        case .addAnother: return acceptForm(asAnother: true)
        case .url, .kind, .method, .headers, .options, .body, .name, .checksum, .continues, .startsPaused, .add:
            return acceptForm()
        }
    }

    /// Opens the form of a task.
    ///
    /// Saving changes the task itself, after stopping it if it is running. With a problem the form reopens as it was
    /// accepted, because the task could not be changed.
    mutating func edit(_ job: Job, of id: UInt64, problem: SafeText?) {
        let state = rows.figures(of: id)?.state
        // A task that has left the list can be added again, but not saved.
        let isGone = state == nil && (problem == nil || id == 0)
        var form = AddForm(editing: job, of: isGone ? nil : id, defaults: jobDefaults)
        form.editsActiveTask = state?.isFinal == false
        // A paused task must not start because it was edited, and a running one goes on, whatever an earlier edit said.
        if let state { form.startsPaused = state.isPaused }
        if let problem {
            awaited = nil
            undo.takeBack(id == 0 ? reasonAfterAdding : reasonAfterEditing)
            for saved in TaskToasts.allSaved { toasts.withdraw(saved) }
            notify(problem, isError: true)
            form.problem = problem
            form.startsPaused = job.startsPaused
        } else if let lost = form.lostSecret(lacksURL: [.linkNotSaved, .secretsNotSaved].contains(rows[id]?.cause)) {
            (form.problem, form.problemField, form.focus) = (lost.sentence, lost.field, lost.field)
        }
        overlay = .addForm(form)
    }

    /// Accepts the form, or reports its error.
    ///
    /// The form closes. `asAnother` keeps it open for another task with the same settings when tasks are added; when
    /// one is edited, it adds a new task and leaves the edited one unchanged.
    mutating func acceptForm(asAnother: Bool = false) -> [Effect] {
        guard case .addForm(var form) = overlay else { return [] }
        do throws(AddForm.Problem) {
            if let id = form.editedID, !asAnother, rows.figures(of: id) == nil {
                throw AddForm.Problem(field: form.focus, sentence: FormErrors.taskRemoved)
            }
            if let path = form.listPath { return try readList(path, of: form) }
            let jobs = try form.jobs()
            try checkVariables(of: jobs)
            history.add(form[.url].text, to: .url)
            overlay = nil
            let cleared = dropCleared(inTheWayOf: jobs)
            if let id = form.editedID, !asAnother, let job = jobs.first {
                let effects = replace(id, with: job, and: jobs)
                if let warning = jobs.trustWarning() { notify(warning, isError: true) }
                return cleared + effects
            }
            report(TaskToasts.added(jobs.count))
            if let warning = jobs.trustWarning() { notify(warning, isError: true) }
            awaited = jobs.first.map { AwaitedRow(of: $0) }
            if asAnother, form.editedID == nil {
                form.beginAnother(after: jobs)
                overlay = .addForm(form)
            }
            passUndo(reasonAfterAdding)
            return cleared + [.send(.add(jobs))]
        } catch {
            form.problem = error.sentence
            form.problemField = error.field
            form.added = nil
            form.focus = error.field
            overlay = .addForm(form)
            return []
        }
    }

    /// Reads the list that a form names; the form comes back if that fails.
    private mutating func readList(_ path: String, of form: AddForm) throws(AddForm.Problem) -> [Effect] {
        guard formOfList == nil else { throw AddForm.Problem(field: .url, sentence: FormErrors.listIsBeingRead) }
        let defaults = try form.listDefaults()
        try checkVariables(of: [defaults])
        history.add(path, to: .url)
        formOfList = form
        overlay = nil
        notify(TaskToasts.readingList)
        return [.readList(path: path, defaults: defaults)]
    }

    /// Adds the tasks of a list, or reports in its form why it cannot be read.
    mutating func acceptList(_ jobs: [Job], problem: SafeText?) -> [Effect] {
        guard var form = formOfList else { return [] }
        formOfList = nil
        if let problem {
            toasts.withdraw(TaskToasts.readingList)
            guard overlay == nil else {
                notify(problem, isError: true)
                return []
            }
            form.problem = problem
            form.problemField = .url
            form.focus = .url
            overlay = .addForm(form)
            return []
        }
        report(TaskToasts.added(jobs.count))
        if let warning = jobs.trustWarning() { notify(warning, isError: true) }
        passUndo(reasonAfterAdding)
        return dropCleared(inTheWayOf: jobs) + [.send(.add(jobs))]
    }

    /// Throws if an option names a variable without a value: each attempt of the task would fail.
    private func checkVariables(of jobs: [Job]) throws(AddForm.Problem) {
        guard let variables, let options = jobs.first?.options else { return }
        for value in options {
            guard let name = value.missingVariable(among: variables) else { continue }
            let sentence = FormErrors.variableUnset(value.option.name, name)
            throw AddForm.Problem(field: .options, sentence: SafeText(untrusted: sentence))
        }
    }

    /// Why an addition cannot be undone, and what helps.
    var reasonAfterAdding: SafeText {
        UndoReasons.added(cancel: keys.key(of: .cancel), remove: keys.key(of: .remove))
    }

    /// Why an edit cannot be undone, and what helps.
    var reasonAfterEditing: SafeText { UndoReasons.edited(keys.key(of: .edit)) }

    /// Replaces a task with another; further URLs of a pasted list become separate tasks.
    private mutating func replace(_ id: UInt64, with job: Job, and all: [Job]) -> [Effect] {
        let further = Array(all.dropFirst())
        let isInProgress = rows.figures(of: id)?.state.isFinal == false
        let state: SafeText =
            job.startsPaused ? TaskToasts.savedPaused : isInProgress ? TaskToasts.savedStopping : TaskToasts.saved
        holdSelection(among: [id])
        notify(further.isEmpty ? state : TaskToasts.savedAdding(state, further.count))
        if !further.isEmpty { passUndo(reasonAfterAdding) }
        passUndo(reasonAfterEditing)
        return [.send(.replace(id, with: job))] + (further.isEmpty ? [] : [.send(.add(further))])
    }

    /// Reports that some of the tasks added last are already in the list, also in a form that reported them as added.
    mutating func reportRepetitions(_ count: Int, of total: Int) {
        awaited = nil
        if count >= total { undo.takeBack(reasonAfterAdding) }
        if toasts.takeBack(TaskToasts.added(total)), count < total { report(TaskToasts.added(total - count)) }
        let sentence = TaskToasts.alreadyInList(count)
        notify(sentence, isError: true)
        guard case .addForm(var form) = overlay, form.added != nil else { return }
        form.added = nil
        form.problem = sentence
        form.problemField = nil
        overlay = .addForm(form)
    }

    /// Requests the facts about the destination whenever the form's destination changes.
    mutating func lookUpDestination() -> [Effect] {
        guard case .addForm(var form) = overlay else { return [] }
        let job = form.wantedDestination
        guard job != form.lookup?.job else { return [] }
        form.lookup = job.map { AddForm.Lookup(job: $0) }
        overlay = .addForm(form)
        return job.map { [.lookUp($0)] } ?? []
    }

    /// Stores the answer, unless the form has another destination by now.
    mutating func accept(_ info: DestinationInfo, of job: Job) {
        guard case .addForm(var form) = overlay, form.lookup?.job == job else { return }
        form.lookup?.info = info
        overlay = .addForm(form)
    }
}
