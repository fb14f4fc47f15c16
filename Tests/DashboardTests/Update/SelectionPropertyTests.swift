import Testing

@testable import Dashboard

/// While rows move under the cursor, a key acts on what was selected when it was pressed, and on nothing else.
@Suite("What keys act on while rows move", .timeLimit(.minutes(5)))
struct SelectionPropertyTests {
    @Test("Thousands of keys among a thousand moving rows act on the tasks that were selected when they were pressed")
    func keysHitTheSelection() throws {
        var walk = SelectionWalk(seed: 23, count: 1000)
        for step in 0..<5_000 {
            walk.moveRows()
            let problem: String? = walk.press()
            try #require(problem == nil, "step \(step): \(problem ?? "")")
        }
        // None of this means anything unless rows really moved under the cursor and keys really acted.
        #expect(walk.movesUnderCursor > 500, "\(walk.movesUnderCursor)")
        for command in [
            "Pause", "Resume", "Pause all", "Resume all", "Undo", "Raise priority", "Lower priority", "Move up",
            "Move down", "Keep", "Delete", "Clear", "View", "Edit", "Copy URL", "Copy as curl", "OK",
            "Start now", "Fetch again", "Rename",
        ] {
            #expect((walk.acted[command] ?? 0) > 0, "\(command) never acted: \(walk.acted.description)")
        }
    }
}
