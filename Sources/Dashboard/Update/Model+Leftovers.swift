/// The list of parts that nothing owns any more: opened, asked about, and removed from.
extension Model {
    /// The parts that were found, or why nobody can tell.
    mutating func accept(leftovers parts: [LeftoverLine], problem: SafeText?) {
        guard case .leftovers(var state) = overlay else { return }
        (state.parts, state.problem) = (parts, problem)
        state.line = min(state.line, max(parts.count - 1, 0))
        // What was asked about may be another line by now.
        state.asked = []
        overlay = .leftovers(state)
    }

    /// Asks whether a part, or all of them, are to be removed.
    mutating func askToRemoveParts(all: Bool) {
        guard case .leftovers(var state) = overlay, let parts = state.parts, let current = state.current else { return }
        state.asked = all ? parts.map(\.path) : [current.path]
        overlay = .leftovers(state)
    }

    /// Removes what was asked about.
    mutating func removeAskedParts() -> [Effect] {
        guard case .leftovers(var state) = overlay, !state.asked.isEmpty else { return [] }
        let paths = state.asked
        state.asked = []
        overlay = .leftovers(state)
        return endUndo(UndoReasons.leftoversDeleted) + [.removeParts(paths)]
    }

    /// Moves through the list; a question that is open is taken back by that.
    mutating func moveInLeftovers(_ state: LeftoversState, by steps: Int) {
        var state = state
        state.asked = []
        state.line = min(max(state.line + steps, 0), max((state.parts?.count ?? 0) - 1, 0))
        overlay = .leftovers(state)
    }

    /// Takes the open question back; without one the list is closed.
    mutating func leaveLeftovers() {
        guard case .leftovers(var state) = overlay, !state.asked.isEmpty else { return closeOverlay() }
        state.asked = []
        overlay = .leftovers(state)
    }
}
