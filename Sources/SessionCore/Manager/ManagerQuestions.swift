import Support

/// What the closures of a manager answer now: a closure counts from the moment it is set, for tasks that run too.
extension Locked: QuestionSource where Value == SessionManager.State {
    var questions: Questions { withLock { $0.handlers.questions } }
}

extension SessionHandlers {
    fileprivate var questions: Questions {
        var questions: Questions = []
        if onData != nil { questions.insert(.chunks) }
        if onResponse != nil { questions.insert(.disposition) }
        if onRedirect != nil { questions.insert(.redirect) }
        if onSessionChallenge != nil || onTaskChallenge != nil { questions.insert(.challenge) }
        if onNeedNewBody != nil { questions.insert(.body) }
        return questions
    }
}
