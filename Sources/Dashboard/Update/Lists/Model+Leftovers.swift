/// The list of partial files without an owner: opening it, asking, and removing.
extension Model {
    /// The open list; nil while another overlay or none is open.
    var leftoversState: LeftoversState? {
        if case .leftovers(let state) = overlay { state } else { nil }
    }

    /// Stores the partial files that were found, or why the search failed.
    mutating func accept(leftovers parts: [LeftoverLine], problem: SafeText?) {
        guard case .leftovers(var state) = overlay else { return }
        (state.parts, state.problem) = (parts, problem)
        state.line = min(state.line, max(parts.count - 1, 0))
        // The lines in question may have changed by now.
        state.asked = []
        overlay = .leftovers(state)
    }

    mutating func askToRemoveParts(all: Bool) {
        guard case .leftovers(var state) = overlay, let parts = state.parts, let current = state.current else { return }
        state.asked = all ? parts.map(\.path) : [current.path]
        overlay = .leftovers(state)
    }

    mutating func removeAskedParts() -> [Effect] {
        guard case .leftovers(var state) = overlay, !state.asked.isEmpty else { return [] }
        let paths = state.asked
        state.asked = []
        overlay = .leftovers(state)
        return endUndo(UndoReasons.leftoversDeleted) + [.removeParts(paths)]
    }

    /// Moves through the list, which withdraws an open question.
    mutating func moveInLeftovers(_ state: LeftoversState, by steps: Int) {
        var state = state
        state.asked = []
        state.line = min(max(state.line + steps, 0), max((state.parts?.count ?? 0) - 1, 0))
        overlay = .leftovers(state)
    }

    /// Withdraws the open question; without one the list closes.
    mutating func leaveLeftovers() {
        guard case .leftovers(var state) = overlay, !state.asked.isEmpty else { return closeOverlay() }
        state.asked = []
        overlay = .leftovers(state)
    }
}
