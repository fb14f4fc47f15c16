/// What to do with an answer to a download's request, decided at its head, before any byte of the body is read.
enum ResumeAction: Sendable, Equatable {
    /// A new download: store the facts of this answer, then write the body from offset 0.
    case fresh(BodyLength)
    /// The next bytes of the part.
    case append(AppendPlan)
    /// The whole of something newer: write it to a second part and keep the first until the second is complete or
    /// larger.
    ///
    /// The reason is a sentence. Indirect, like all large cases here: every small file's answer is told in a few bytes.
    indirect case newGeneration(StoredFacts, BodyLength, reason: String)
    /// Drop this connection and the part, and ask again without a range.
    ///
    /// The reason is a sentence.
    case restart(reason: String)
    /// Everything is there already: verify and finish.
    case finishWithoutBody
    /// Drop this connection and ask once more with the range and `If-Match` instead of `If-Range`: the server seems to
    /// ignore ranges when If-Range holds a tag.
    case retryWithIfMatch(String)
    /// Drop this connection, keep the part and try later: not before so many milliseconds, where the server said so.
    ///
    /// The error is what the transfer fails with when its tries are used up.
    indirect case waitAndRetry(afterMilliseconds: Int64?, SessionError)
    /// The transfer ends; the part stays.
    indirect case failure(SessionError)
}
