import SessionCore

/// Why a saved session cannot be used.
struct SessionRefusal: Error, Sendable, Equatable {
    /// One sentence, without a trailing stop.
    let message: String
    /// What the shell is told when the user insisted on the session.
    let exitCode: ExitCode
    /// Whether another program has it.
    let isInUse: Bool

    init(_ name: String, _ error: SessionError) {
        isInUse = error.code == .sessionInUse
        if isInUse {
            message = "the session \"\(name)\" is in use by another netdash; leave that one or name another session"
            exitCode = .sessionInUse
        } else {
            let failure = TransferFailure(error)
            message = "the session \"\(name)\" cannot be opened: \(failure.message)"
            exitCode = failure.category == .disk ? .disk : .taskFailed
        }
    }
}
