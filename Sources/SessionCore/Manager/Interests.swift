/// What of a manager decides how a task runs, when the task starts: which of the closures it has, and its trust.
struct Interests: Sendable {
    var data = false
    var response = false
    var redirect = false
    var challenge = false
    var newBody = false
    /// How servers have to prove who they are.
    var trust: TrustSettings?
}

extension Locked<SessionManager.State> {
    var interests: Interests {
        withLock { state in
            Interests(
                data: state.handlers.onData != nil, response: state.handlers.onResponse != nil,
                redirect: state.handlers.onRedirect != nil,
                challenge: state.handlers.onSessionChallenge != nil || state.handlers.onTaskChallenge != nil,
                newBody: state.handlers.onNeedNewBody != nil, trust: state.trust)
        }
    }
}
