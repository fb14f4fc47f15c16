/// Completion handlers that are due or run, and the session's own end, which is told after the last of them.
struct SessionFarewell: Sendable {
    /// Those that became due in this drain.
    var due: [DueCompletion] = []
    /// How many were handed over and have not returned.
    private var underway = 0
    /// Who is to be told of the session's end when they have.
    private var owner: (any SessionOwner)?

    /// Takes what became due, to hand it over.
    mutating func takeDue() -> [DueCompletion] {
        defer { due = [] }
        underway += due.count
        return due
    }

    /// Whether an owner can be told of the session's end now; otherwise it is kept for the last handler's return.
    mutating func isTime(for owner: any SessionOwner) -> Bool {
        guard !due.isEmpty || underway > 0 else { return true }
        self.owner = owner
        return false
    }

    /// Takes note that a handler has returned; who is to be told now, if anybody.
    mutating func handlerReturned() -> (any SessionOwner)? {
        underway -= 1
        guard underway == 0, due.isEmpty else { return nil }
        defer { owner = nil }
        return owner
    }
}
