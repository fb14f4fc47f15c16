/// Which of the closures that decide how a task runs a manager has when the task starts.
struct Interests: Sendable {
    var data = false
    var response = false
    var redirect = false
    var challenge = false
    var newBody = false
}

extension SessionManager {
    var interests: Interests {
        state.withLock { state in
            Interests(
                data: state.handlers.onData != nil, response: state.handlers.onResponse != nil,
                redirect: state.handlers.onRedirect != nil,
                challenge: state.handlers.onSessionChallenge != nil || state.handlers.onTaskChallenge != nil,
                newBody: state.handlers.onNeedNewBody != nil)
        }
    }
}
