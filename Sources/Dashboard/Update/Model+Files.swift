/// The question about existing files.
extension Model {
    /// Asks about the next file, unless the user is busy; a question that another window has answered closes.
    mutating func askAboutFiles() {
        if case .question(let question) = overlay, question.screen == .fileDialog,
            !question.ids.contains(where: undecided.waiting.contains)
        {
            closeOverlay()
        }
        guard overlay == nil, frozen == nil, !undecided.waiting.isEmpty, let id = undecided.next() else { return }
        overlay = .question(.aboutFile(of: id))
    }

    /// Answers the question, for all files if the user wants that.
    mutating func settleFiles(_ policy: Job.IfExists) -> [Effect] {
        guard let question else { return [] }
        let ids = question.remembersAnswer ? undecided.waiting : question.ids
        closeOverlay()
        for id in ids { undecided.forget(id) }
        return [.send(.settle(ids, policy))]
    }
}
