import Dashboard

/// A row that gets a task now: what the task is made of.
///
/// A copy of the whole row would cost more than the rest.
struct RowAdmission: Sendable {
    let id: UInt64
    var job: Job
    var queueKey: TransferRow.QueueKey
    var lacksSecrets: Bool
}
