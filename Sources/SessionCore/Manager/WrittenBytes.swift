/// What callers have been told of the bytes that a download wrote itself.
///
/// A status holds whole counts, and most are never told because a newer one overtakes them. Bytes that an earlier run left
/// are part of those counts and were not written now; bytes that were given up by a restart are not part of them any more.
struct WrittenBytes: Sendable, Equatable {
    /// The whole count that was told last.
    private var told: Int64 = 0
    private var hasAnswer = false
    /// Whether the latest answer was not the first one, so that what is there before it was written by this task.
    private var hasEarlierAnswer = false

    /// A response was accepted, and its bytes come next.
    mutating func noteAnswer() {
        hasEarlierAnswer = hasAnswer
        hasAnswer = true
    }

    /// Takes a status, and returns how many bytes were written since the last call.
    mutating func take(received: Int64, resumedAt: Int64) -> Int64 {
        defer { told = received }
        return max(0, received - max(told, resumedAt))
    }

    /// The download goes on at an offset; returns how many bytes before it were written and not told.
    mutating func resume(at offset: Int64) -> Int64 {
        defer { told = offset }
        return hasEarlierAnswer ? max(0, offset - told) : 0
    }

    /// The download begins again at zero.
    mutating func restart() { told = 0 }
}
