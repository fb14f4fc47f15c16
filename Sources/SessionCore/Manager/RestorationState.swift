/// What is left to do about the tasks of an earlier run.
struct RestorationState: Sendable {
    /// Tasks that ran then and were neither resumed nor suspended since.
    var waiting: [SessionTask] = []
    /// Tasks whose events are not all delivered.
    var underway: Set<TransferID> = []
    /// Whether the end of the restoration was announced, or there is none to announce.
    var isFinished = true

    /// Takes note that nothing more is to come of a task for now; true when that was the last one.
    mutating func settle(_ id: TransferID) -> Bool {
        underway.remove(id)
        guard !isFinished, underway.isEmpty else { return false }
        isFinished = true
        return true
    }
}
