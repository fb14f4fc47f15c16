import SessionCore

/// What another server gets of a task's request.
extension LocalService {
    /// Reports the fields that another server does not get, to which a redirect or a mirror led; once for each task.
    func reportLeftFields(of task: SessionTask) {
        guard let left = task.leftFields else { return }
        let id = withRow(of: task) { _, slot -> UInt64? in
            defer { slot.row.run.hasToldLeftFields = true }
            return slot.row.run.hasToldLeftFields ? nil : slot.id
        }
        guard case let id?? = id else { return }
        let names = left.names.joined(separator: ", ")
        let sentence = left.isBack ? ServiceLines.leftFieldsBack(names) : ServiceLines.leftFields(names, left.server)
        report(id, .notice(sentence))
    }
}
