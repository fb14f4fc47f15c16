extension RowFigures {
    /// Whether its priority still matters.
    var canPrioritise: Bool { !state.isFinal }
}

extension Model {
    /// Raises (above zero) or lowers the targets' priority, with a way back.
    mutating func prioritiseTargets(by steps: Int) -> [Effect] {
        let all = targets
        let ids = all.filter { $0.canPrioritise && (-2...2).contains(Int($0.priority) + steps) }.map(\.id)
        undo = Undo(action: .prioritised(steps), ids: ids, expiresAt: now + Toast.undoDuration)
        let verb: SafeText = steps > 0 ? "Raising the priority of" : "Lowering the priority of"
        report(verb, hit: ids.count, skipped: all.count - ids.count, offersUndo: !ids.isEmpty)
        return ids.isEmpty ? [] : [.prioritise(ids, by: steps)]
    }

    /// Moves the waiting ones of the targets to earlier or later places of the queue.
    mutating func moveTargetsInQueue(by steps: Int) -> [Effect] {
        let all = targets
        let ids = all.filter { $0.state == .queued }.map(\.id)
        if all.count > 1 { report("Moving", hit: ids.count, skipped: all.count - ids.count) }
        return [.moveInQueue(ids, by: steps)]
    }

    /// What a priority is called.
    package static func word(ofPriority priority: Int8) -> SafeText {
        switch priority {
        case ..<(-1): "lowest"
        case -1: "low"
        case 0: "normal"
        case 1: "high"
        default: "highest"
        }
    }
}
