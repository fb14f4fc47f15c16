/// What the bridge has to know of a row whose run has ended; a copy of the whole row would cost more than the rest.
struct RowEnding: Sendable {
    var job: Job
    var output: BodyOutput?
    var startedAt: Int64?
    /// Whether the latest run was resumed once.
    var wasResumed: Bool
    /// Whether the part is to be deleted.
    var discardsPart: Bool
}
