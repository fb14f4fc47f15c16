/// The place that the add form's download will have.
extension Model {
    /// Asks what lies there whenever the form has come to mean another place.
    mutating func lookUpPlace() -> [Effect] {
        guard case .addForm(var form) = overlay else { return [] }
        let job = form.wantedPlace
        guard job != form.lookup?.job else { return [] }
        form.lookup = job.map { AddForm.Lookup(job: $0) }
        overlay = .addForm(form)
        return job.map { [.lookUp($0)] } ?? []
    }

    /// Takes the answer, unless the form means another place by now.
    mutating func accept(_ facts: DestinationFacts, of job: Job) {
        guard case .addForm(var form) = overlay, form.lookup?.job == job else { return }
        form.lookup?.facts = facts
        overlay = .addForm(form)
    }
}
