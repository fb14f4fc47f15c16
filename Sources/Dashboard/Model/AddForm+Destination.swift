/// What the form knows of the place that its download will have.
extension AddForm {
    /// A question about the place, and the answer once it is there.
    struct Lookup: Sendable, Equatable {
        /// As much of the job as decides about the place.
        var job: Job
        var facts: DestinationFacts?
    }

    /// The job whose place is worth a look: a download of one URL into a file.
    var wantedPlace: Job? {
        let text = self[.url].text.trimmed
        guard kind == .download, furtherURLs.isEmpty, !text.isEmpty, let url = try? trueURL(text) else { return nil }
        let name = self[.name].text.trimmed
        var job = Job(kind: .download, url: url)
        job.directory = origin?.job.directory
        job.ifExists = origin?.job.ifExists ?? job.ifExists
        job.continues = continues
        if name.isEmpty, origin?.name == name, origin?.job.output == .standardOutput { return nil }
        guard !name.isEmpty else { return job }
        guard let output = try? JobDestination.output(named: name, label: ""), output != .standardOutput else {
            return nil
        }
        job.output = output
        return job
    }

    /// What will happen at that place; empty when there is nothing to say.
    func note(units: Units) -> SafeText {
        guard let lookup, let facts = lookup.facts else { return "" }
        return facts.note(policy: lookup.job.ifExists, continues: lookup.job.continues, units: units)
    }
}
