/// What earlier attempts of the same transfer have tried, so that no trick is tried twice without end.
struct ResumeHistory: Sendable, Equatable {
    /// Whether this request carries `If-Match` because an earlier one came back as a whole.
    var usedIfMatch = false
    /// How often the transfer went back to byte 0 because of an answer.
    var restarts = 0

    init() {}
}
