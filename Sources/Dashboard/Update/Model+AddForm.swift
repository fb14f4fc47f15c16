/// The place that the add form's download will have.
extension Model {
    /// Does what Enter does in the add form: presses the button that has the focus, and adds everywhere else.
    mutating func pressForm() -> [Effect] {
        guard case .addForm(let form) = overlay else { return [] }
        switch form.focus {
        case .cancel:
            closeOverlay()
            return []
        case .addAnother: return acceptForm(beginningAnother: true)
        case .url, .kind, .method, .headers, .body, .name, .checksum, .continues, .startsPaused, .add:
            return acceptForm()
        }
    }

    /// Accepts the add form, or says what is wrong with it.
    ///
    /// The form goes, or stays for another task of the same settings.
    mutating func acceptForm(beginningAnother: Bool = false) -> [Effect] {
        guard case .addForm(var form) = overlay else { return [] }
        do {
            let jobs = try form.jobs()
            history.add(form[.url].text, to: .url)
            report("Adding", hit: jobs.count, skipped: 0)
            form.beginAnother(after: jobs)
            overlay = beginningAnother ? .addForm(form) : nil
            return [.add(jobs)]
        } catch {
            form.problem = error.sentence
            form.added = nil
            form.focus = error.field
            overlay = .addForm(form)
            return []
        }
    }

    /// Says that some of the tasks added last are in the list already, also in a form that said they were added.
    mutating func reportRepetitions(_ count: Int) {
        let sentence = SafeText.tasks(count) + " left out: in the list already"
        notify(sentence, isError: true)
        guard case .addForm(var form) = overlay, form.added != nil else { return }
        form.added = nil
        form.problem = sentence
        overlay = .addForm(form)
    }

    /// Asks what lies there whenever the form has come to mean another place.
    mutating func lookUpPlace() -> [Effect] {
        guard case .addForm(var form) = overlay else { return [] }
        let job = form.wantedPlace
        guard job != form.lookup?.job else { return [] }
        form.lookup = job.map { AddForm.Lookup(job: $0) }
        overlay = .addForm(form)
        return job.map { [.lookUp($0)] } ?? []
    }

    /// Stores the answer, unless the form means another place by now.
    mutating func accept(_ facts: DestinationFacts, of job: Job) {
        guard case .addForm(var form) = overlay, form.lookup?.job == job else { return }
        form.lookup?.facts = facts
        overlay = .addForm(form)
    }
}
