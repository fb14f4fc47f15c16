/// The question about existing files.
extension Model {
    /// Asks about the next file, unless the user is busy; a question that another window has answered closes.
    mutating func askAboutFiles() {
        if case .question(let question) = overlay, question.screen == .fileDialog,
            !question.ids.contains(where: undecided.contains)
        {
            closeOverlay()
        }
        guard overlay == nil, frozen == nil, let id = undecided.next() else { return }
        overlay = .question(.aboutFile(of: id))
    }

    /// Answers the question, if the user wants that for every file that was not put off.
    mutating func settleFiles(_ policy: Job.IfExists) -> [Effect] {
        guard let question else { return [] }
        let ids = question.remembersAnswer ? question.ids + undecided.unasked : question.ids
        closeOverlay()
        for id in ids { undecided.forget(id) }
        return [.send(.settle(ids, policy))]
    }
}
