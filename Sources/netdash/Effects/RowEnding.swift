import Dashboard

/// What the bridge has to know of a row whose run has ended; a copy of the whole row would cost more than the rest.
struct RowEnding: Sendable {
    let id: UInt64
    var kind: Job.Kind
    /// Whether a SHA-256 was asked for.
    var wantsSHA256: Bool
    var output: BodyOutput?
    var startedAt: Int64?
    /// Whether the latest run was resumed once.
    var wasResumed: Bool
    /// Whether the part is to be deleted.
    var discardsPart: Bool
}
